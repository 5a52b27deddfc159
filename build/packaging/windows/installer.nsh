# Hooks of electron-builder's NSIS installer (nsis.include): stop everything before files are replaced, start it again afterwards,
# set up a service if the command line asks for one, and remove everything on uninstall. docs/install.md lists the options and the
# exit codes. electron-builder's own template (templates/nsis) decides when each macro runs.

!include LogicLib.nsh
!include FileFunc.nsh

!define EXIT_NOT_STOPPED 4
!define EXIT_NOT_STARTED 5
!define EXIT_NOT_REMOVED 6

# Runs the command line of the Platen in FOLDER and stores its exit code. The output goes to the file in /LOG=, because a silent
# installer has no window. Without /LOG= it goes to the private folder of the installer, since other users can write to %TEMP% of a
# service.
!macro runPlatenIn FOLDER COMMAND RESULT
  Push $R6
  Push $R7
  InitPluginsDir
  ${GetParameters} $R6
  ClearErrors
  ${GetOptions} $R6 "/LOG=" $R7
  ${if} ${Errors}
    StrCpy $R7 "$PLUGINSDIR\platen.log"
  ${endif}
  # cmd.exe removes the first and the last quote (/s).
  nsExec::Exec `"$SYSDIR\cmd.exe" /d /s /c ""${FOLDER}\bin\platen.cmd" ${COMMAND} >> "$R7" 2>&1"`
  Exch
  Pop $R7
  Exch
  Pop $R6
  Pop ${RESULT}
!macroend

!macro runPlaten COMMAND RESULT
  !insertmacro runPlatenIn "$INSTDIR" "${COMMAND}" ${RESULT}
!macroend

# Replaces electron-builder's check, which kills the processes. It runs in the installer before the old version is uninstalled, and in
# the uninstaller, which an installer with elevated rights relies on.
# Without its files, which a virus scanner may have removed, the program cannot stop anything, and an upgrade brings them back.
!macro customCheckAppRunning
  ${if} ${FileExists} "$INSTDIR\Platen.exe"
  ${andIf} ${FileExists} "$INSTDIR\bin\platen.cmd"
    !insertmacro runPlaten "service suspend" $R0
    ${if} $R0 != 0
      MessageBox MB_OK|MB_ICONSTOP "Platen could not be stopped, so nothing was changed. Run the command 'bin\platen.cmd service suspend' in $INSTDIR to see the reason." /SD IDOK
      SetErrorLevel ${EXIT_NOT_STOPPED}
      Quit
    ${endif}
  ${endif}
!macroend

# Starts the old version again if its uninstaller failed. The old version may be in another folder, which the registry names until the
# uninstaller succeeds. ($installationDir, which also has it, is declared after the place of this macro.)
!macro startAgainAfterFailedUninstall
  ${if} ${Errors}
    DetailPrint "The uninstaller of the old version could not be started."
  ${elseif} $R0 != 0
    !insertmacro runPlaten "service resume" $R1
    !insertmacro readReg $R2 "$rootKey_uninstallResult" "${INSTALL_REGISTRY_KEY}" InstallLocation
    ${if} $R2 != ""
    ${andIf} $R2 != $INSTDIR
      !insertmacro runPlatenIn "$R2" "service resume" $R1
    ${endif}
    MessageBox MB_OK|MB_ICONEXCLAMATION "The old version could not be removed (exit code $R0), so nothing was installed." /SD IDOK
    SetErrorLevel 2
    Quit
  ${endif}
!macroend

!macro customUnInstallCheck
  !insertmacro startAgainAfterFailedUninstall
!macroend

!macro customUnInstallCheckCurrentUser
  !insertmacro startAgainAfterFailedUninstall
!macroend

# Appends a flag of 'platen service install' to $R3 if the option of the installer has a value. Doubles the backslashes at the end of
# the value, because a backslash before the closing quote would escape the quote.
!macro appendFlag OPTION FLAG
  ClearErrors
  ${GetOptions} $R2 "/${OPTION}=" $R4
  ${ifNot} ${Errors}
    StrCpy $R5 -1
    StrCpy $R6 ""
    ${do}
      StrCpy $R7 $R4 1 $R5
      ${if} $R7 != "\"
        ${exitDo}
      ${endif}
      StrCpy $R6 "$R6\"
      IntOp $R5 $R5 - 1
    ${loop}
    StrCpy $R3 `$R3 ${FLAG} "$R4$R6"`
  ${endif}
!macroend

!macro startAgainAfterUpgrade
  !insertmacro runPlaten "service resume" $R0
  ${if} $R0 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "Platen is installed, but not everything that ran before was started. A service that ran from another folder needs the command 'bin\platen.cmd service install' in $INSTDIR, with the --name, --user and --data of the service." /SD IDOK
    SetErrorLevel ${EXIT_NOT_STARTED}
  ${endif}
!macroend

!macro customInstall
  # First, so that a service of a version in another folder belongs to this installation when it is started again.
  ${GetParameters} $R2
  ClearErrors
  ${GetOptions} $R2 "/SERVICE=" $R4
  ${if} $R4 == "1"
    StrCpy $R3 "service install"
    ${if} $installMode != "all"
      StrCpy $R3 "$R3 --user"
    ${endif}
    !insertmacro appendFlag "PORT" "--port"
    !insertmacro appendFlag "HOST" "--host"
    !insertmacro appendFlag "DATA" "--data"
    ClearErrors
    ${GetOptions} $R2 "/FIREWALL=" $R4
    ${if} $R4 == "1"
      StrCpy $R3 "$R3 --firewall"
    ${endif}
    !insertmacro runPlaten "$R3" $R0
    ${if} $R0 != 0
      MessageBox MB_OK|MB_ICONEXCLAMATION "Platen is installed, but its service is not. Run the command 'bin\platen.cmd $R3' in $INSTDIR to see the reason." /SD IDOK
      SetErrorLevel ${EXIT_NOT_STARTED}
    ${endif}
  ${endif}
  ${if} ${FileExists} "$INSTDIR.suspended.json"
    !insertmacro startAgainAfterUpgrade
  ${endif}
  # The uninstaller of a version in another folder has left its state file beside that folder.
  ${if} $installationDir != ""
  ${andIf} $installationDir != $INSTDIR
  ${andIf} ${FileExists} "$installationDir.suspended.json"
    ClearErrors
    Rename "$installationDir.suspended.json" "$INSTDIR.suspended.json"
    ${if} ${Errors}
      DetailPrint "$installationDir.suspended.json could not be moved."
      SetErrorLevel ${EXIT_NOT_STARTED}
    ${else}
      !insertmacro startAgainAfterUpgrade
    ${endif}
  ${endif}
!macroend

# An upgrade also runs this, with --updated: then the services stay, and the new version starts them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ${GetParameters} $R2
    ClearErrors
    ${GetOptions} $R2 "/PURGE=" $R4
    StrCpy $R3 "service remove"
    ${if} $R4 == "1"
      StrCpy $R3 "$R3 --purge"
    ${endif}
    !insertmacro runPlaten "$R3" $R0
    ${if} $R0 != 0
      MessageBox MB_OK|MB_ICONEXCLAMATION "Some parts of Platen could not be removed from the system." /SD IDOK
      SetErrorLevel ${EXIT_NOT_REMOVED}
    ${endif}
  ${endif}
!macroend
