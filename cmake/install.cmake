include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rb_shared EXPORT rattleback LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/rattleback DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rattleback NAMESPACE rattleback:: FILE rattleback-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rattleback)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rattleback-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rattleback-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rattleback)
# pkg-config finds the prefix from the place of the file: an installation may be moved, or made with another --prefix.
file(RELATIVE_PATH RB_PC_TO_PREFIX /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
configure_file(cmake/rattleback.pc.in ${CMAKE_BINARY_DIR}/rattleback.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/rattleback.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback)
# To be read; the program has it built in.
install(DIRECTORY library DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/rattleback)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

# The Python package, where Debian's python3 looks for it (below /usr without the minor number); it finds the library beside it.
set(RB_PYTHON_FOLDER "" CACHE STRING "Folder for the Python package below the prefix; empty: that of Debian's python3")
set(RB_PYTHON_PLACE "${RB_PYTHON_FOLDER}")
if(NOT RB_PYTHON_PLACE)
    find_package(Python3 COMPONENTS Interpreter QUIET)
    set(RB_PYTHON_PLACE lib/python3/dist-packages)
    if(Python3_FOUND AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        set(RB_PYTHON_PLACE lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/dist-packages)
    endif()
endif()
install(DIRECTORY python/rattleback DESTINATION ${RB_PYTHON_PLACE} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
        PATTERN "__pycache__" EXCLUDE)
