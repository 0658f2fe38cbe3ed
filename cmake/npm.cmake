# cmake -DSOURCE=... -DFOLDER=... -DNPM=... -DMUST=ON|AUTO -P npm.cmake: the packages of SOURCE/package-lock.json in
# FOLDER/node_modules. Without a network the stamp says so, unless they must be there.
file(MAKE_DIRECTORY ${FOLDER})
foreach(name package.json package-lock.json .npmrc)
    file(COPY_FILE ${SOURCE}/${name} ${FOLDER}/${name})
endforeach()
execute_process(COMMAND ${NPM} ci --prefer-offline --no-progress WORKING_DIRECTORY ${FOLDER}
                RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT code EQUAL 0 AND MUST STREQUAL "ON")
    message(FATAL_ERROR "npm ci failed:\n${text}")
endif()
if(code EQUAL 0)
    file(WRITE ${FOLDER}/stamp "there\n")
else()
    message(WARNING "npm could not get the packages of ${SOURCE}, so what needs them will be missing:\n${text}")
    file(WRITE ${FOLDER}/stamp "missing\n")
endif()
