# Writes a C file with a hash over all sources: cmake -DSOURCE_DIR=... -DVERSION=... -DOUTPUT=... -P build_id.cmake
file(GLOB_RECURSE files ${SOURCE_DIR}/src/*.c ${SOURCE_DIR}/src/*.h ${SOURCE_DIR}/include/*.h
     ${SOURCE_DIR}/scenes/*.c ${SOURCE_DIR}/scenes/*.h)
list(SORT files)
set(all "")
foreach(file ${files})
    file(SHA256 ${file} hash)
    string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT}.new "#include \"base/build_id.h\"\nconst char rb_build_id[] = \"${VERSION}-${hash}-${BUILD}\";\n")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
