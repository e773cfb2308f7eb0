# Installs phyxel/phyxel.h and the headers that it includes, directly or not: these are the public ones. A script of
# `cmake --install`, so that it sees the includes as they are then.
#   SOURCE  the folder src
#   TO      the folder of headers of the installation
cmake_policy(VERSION 3.25)
set(headers phyxel/phyxel.h)
set(waiting ${headers})
while(waiting)
  list(POP_FRONT waiting header)
  file(STRINGS "${SOURCE}/${header}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"phyxel/")
  foreach(line ${includes})
    string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1" included "${line}")
    if(NOT included IN_LIST headers)
      list(APPEND headers ${included})
      list(APPEND waiting ${included})
    endif()
  endforeach()
endwhile()
foreach(header ${headers})
  get_filename_component(folder "${header}" DIRECTORY)
  file(INSTALL "${SOURCE}/${header}" DESTINATION "${TO}/${folder}")
endforeach()
