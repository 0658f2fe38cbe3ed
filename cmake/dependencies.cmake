# Everything we link comes from Debian's packages; tools/packages lists them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
pkg_check_modules(BLAS REQUIRED IMPORTED_TARGET blas)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
find_path(SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(TCC_LIBRARY tcc REQUIRED)
find_path(TCC_INCLUDE libtcc.h REQUIRED)

# Debian has libtcc only as a static library made for programs. Without its references to stdout and stderr it can
# also be part of our shared library, and cannot print (src/code/compile.c). Its memory is reserved before it starts
# (src/code/tcc_memory.h).
set(QUIET_TCC ${CMAKE_BINARY_DIR}/libquiettcc2.a)
if(NOT EXISTS ${QUIET_TCC})
    execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdout=rb_tcc_stdout --redefine-sym stderr=rb_tcc_stderr --redefine-sym environ=rb_tcc_environ
                            --redefine-sym malloc=rb_tcc_malloc --redefine-sym realloc=rb_tcc_realloc --redefine-sym free=rb_tcc_free
                            --redefine-sym calloc=rb_tcc_calloc
                            ${TCC_LIBRARY} ${QUIET_TCC} COMMAND_ERROR_IS_FATAL ANY)
endif()

set(SUNDIALS_LIBRARIES "")
foreach(part cvode arkode ida kinsol nvecserial sunmatrixdense sunmatrixsparse sunlinsolklu
             sunnonlinsolnewton sunnonlinsolfixedpoint generic)
    find_library(SUNDIALS_${part} sundials_${part} REQUIRED)
    list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${part}})
endforeach()

add_library(rb_dependencies INTERFACE)
target_include_directories(rb_dependencies SYSTEM INTERFACE ${SUITESPARSE_INCLUDE} ${TCC_INCLUDE})
target_link_libraries(rb_dependencies INTERFACE
    ${SUNDIALS_LIBRARIES} ${KLU_LIBRARY} PkgConfig::LAPACKE PkgConfig::BLAS PkgConfig::QHULL
    PkgConfig::CJSON PkgConfig::EXPAT PkgConfig::ZLIB ${QUIET_TCC} m dl pthread)
