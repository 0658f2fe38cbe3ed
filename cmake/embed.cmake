# Writes a file as a C string: cmake -DINPUT=... -DNAME=... -DHEADER=... -DOUTPUT=... -P embed.cmake
file(READ ${INPUT} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\nconst char ${NAME}[] = \"${text}\";\n")
