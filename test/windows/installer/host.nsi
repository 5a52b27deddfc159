# Installs a stub payload with the hooks in build/packaging/windows/installer.nsh, which it inserts in the order of electron-builder's
# templates: installSection.nsh, uninstaller.nsh and include/installUtil.nsh of app-builder-lib 26.17.
# Defines: HOOKS, PAYLOAD, OUTPUT.
Unicode true
Target amd64-unicode
Name "Platen"
OutFile "${OUTPUT}"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent
InstallDir "C:\Platen test\Platen"

!include LogicLib.nsh
!include FileFunc.nsh

Var installMode
Var hasUpdatedFlag

# electron-builder defines this with a plugin.
!define isUpdated `"$hasUpdatedFlag" == "1"`

!macro readMode
  ${GetParameters} $R0
  StrCpy $installMode "CurrentUser"
  ClearErrors
  ${GetOptions} $R0 "/allusers" $R1
  ${ifNot} ${Errors}
    StrCpy $installMode "all"
  ${endif}
  StrCpy $hasUpdatedFlag "0"
  ClearErrors
  ${GetOptions} $R0 "--updated" $R1
  ${ifNot} ${Errors}
    StrCpy $hasUpdatedFlag "1"
  ${endif}
!macroend

!include "${HOOKS}"

Function .onInit
  !insertmacro readMode
FunctionEnd

Function handleUninstallResult
  !insertmacro customUnInstallCheck
FunctionEnd

Section "install"
  InitPluginsDir
  !insertmacro customCheckAppRunning
  ${if} ${FileExists} "$INSTDIR\Uninstall Platen.exe"
    CopyFiles /SILENT "$INSTDIR\Uninstall Platen.exe" "$PLUGINSDIR\old-uninstaller.exe"
    ClearErrors
    ExecWait '"$PLUGINSDIR\old-uninstaller.exe" /S /KEEP_APP_DATA /$installMode --updated _?=$INSTDIR' $R0
    Call handleUninstallResult
  ${endif}
  SetOutPath $INSTDIR
  File /r "${PAYLOAD}/*"
  WriteUninstaller "$INSTDIR\Uninstall Platen.exe"
  !insertmacro customInstall
SectionEnd

Function un.onInit
  !insertmacro readMode
  !insertmacro customCheckAppRunning
FunctionEnd

Section "un.Uninstall"
  !insertmacro customUnInstall
  SetOutPath $TEMP
  RMDir /r $INSTDIR
SectionEnd
