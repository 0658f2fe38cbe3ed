# cmake -DNODE=... -DSCRIPT=... -DFOLDER=... -DOUTPUT=... -P bundle.cmake: the page as C; empty if its packages are missing.
file(READ ${FOLDER}/stamp state)
if(state MATCHES "there")
    execute_process(COMMAND ${NODE} ${SCRIPT} ${OUTPUT} WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
else()
    file(WRITE ${OUTPUT} "#include \"export/page.h\"\nconst unsigned char rb_viewer_program[1];\nconst size_t rb_viewer_program_size = 0;\n")
endif()
