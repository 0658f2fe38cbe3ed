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
