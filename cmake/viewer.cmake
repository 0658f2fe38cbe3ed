# The program of the page (viewer/), bundled with esbuild: ${CMAKE_BINARY_DIR}/viewer.c. Without node, npm or a network it
# is empty, and `rattleback view` says what is missing.
set(RB_VIEWER AUTO CACHE STRING "Bundle the page of `rattleback view` (needs node 18 and npm): AUTO, ON or OFF")
find_program(RB_NODE node)
find_program(RB_NPM npm)
set(RB_VIEWER_C ${CMAKE_BINARY_DIR}/viewer.c)
set(RB_MODULES ${CMAKE_BINARY_DIR}/viewer)
if(RB_VIEWER STREQUAL "OFF" OR NOT RB_NODE OR NOT RB_NPM)
    if(RB_VIEWER STREQUAL "ON")
        message(FATAL_ERROR "RB_VIEWER is ON, but node or npm is missing")
    endif()
    file(WRITE ${RB_VIEWER_C}.new "#include \"export/page.h\"\nconst unsigned char rb_viewer_program[1];\nconst size_t rb_viewer_program_size = 0;\n")
    file(COPY_FILE ${RB_VIEWER_C}.new ${RB_VIEWER_C} ONLY_IF_DIFFERENT)
else()
    file(GLOB RB_VIEWER_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/viewer/src/*)
    add_custom_command(
        OUTPUT ${RB_MODULES}/stamp
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}/viewer -DFOLDER=${RB_MODULES} -DNPM=${RB_NPM} -DMUST=${RB_VIEWER}
                -P ${CMAKE_SOURCE_DIR}/cmake/npm.cmake
        DEPENDS ${CMAKE_SOURCE_DIR}/viewer/package.json ${CMAKE_SOURCE_DIR}/viewer/package-lock.json
                ${CMAKE_SOURCE_DIR}/cmake/npm.cmake)
    add_custom_command(
        OUTPUT ${RB_VIEWER_C}
        COMMAND ${CMAKE_COMMAND} -DNODE=${RB_NODE} -DSCRIPT=${CMAKE_SOURCE_DIR}/viewer/build.mjs -DFOLDER=${RB_MODULES}
                -DOUTPUT=${RB_VIEWER_C} -P ${CMAKE_SOURCE_DIR}/cmake/bundle.cmake
        DEPENDS ${RB_MODULES}/stamp ${RB_VIEWER_SOURCES} ${CMAKE_SOURCE_DIR}/viewer/build.mjs ${CMAKE_SOURCE_DIR}/cmake/bundle.cmake)
endif()
