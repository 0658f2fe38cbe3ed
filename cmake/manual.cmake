# The manual as a static site in ${CMAKE_BINARY_DIR}/manual: pages of docs/ and a reference made from the sources (docs/site). Its
# packages come from npm; `cmake --build build/release --target manual_site`.
if(NOT RB_NODE OR NOT RB_NPM)
    return()
endif()
set(RB_MANUAL_MODULES ${CMAKE_BINARY_DIR}/manual-site)
set(RB_MANUAL_SOURCE ${CMAKE_SOURCE_DIR}/docs/site)
file(GLOB RB_MANUAL_PROGRAM CONFIGURE_DEPENDS ${RB_MANUAL_SOURCE}/*.mjs ${RB_MANUAL_SOURCE}/*.js ${RB_MANUAL_SOURCE}/*.css)
add_custom_command(
    OUTPUT ${RB_MANUAL_MODULES}/stamp
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${RB_MANUAL_SOURCE} -DFOLDER=${RB_MANUAL_MODULES} -DNPM=${RB_NPM} -DMUST=AUTO
            -P ${CMAKE_SOURCE_DIR}/cmake/npm.cmake
    DEPENDS ${RB_MANUAL_SOURCE}/package.json ${RB_MANUAL_SOURCE}/package-lock.json ${CMAKE_SOURCE_DIR}/cmake/npm.cmake)
add_custom_target(manual_packages ALL DEPENDS ${RB_MANUAL_MODULES}/stamp)
# node finds packages beside the program: it runs from a copy.
add_custom_target(manual_site
    COMMAND ${CMAKE_COMMAND} -E copy ${RB_MANUAL_PROGRAM} ${RB_MANUAL_MODULES}
    COMMAND ${RB_NODE} ${RB_MANUAL_MODULES}/build.mjs ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/manual $<TARGET_FILE:rb_command>
    COMMAND ${CMAKE_COMMAND} -E echo "manual: file://${CMAKE_BINARY_DIR}/manual/index.html"
    DEPENDS ${RB_MANUAL_MODULES}/stamp VERBATIM)
add_dependencies(manual_site rb_command)
