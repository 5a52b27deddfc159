# Installs a stub payload with the hooks in build/packaging/windows/installer.nsh, which it inserts in the order of electron-builder's
# templates: installSection.nsh, uninstaller.nsh and include/installUtil.nsh of app-builder-lib 26.17. As there, the functions declare
# variables, which only the lines below them can use.
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

!define INSTALL_REGISTRY_KEY "Software\Platen test"
!define UNINSTALL_REGISTRY_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Platen test"

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

!macro readReg VAR ROOT_KEY SUB_KEY NAME
  ${if} "${ROOT_KEY}" == "SHELL_CONTEXT"
    ReadRegStr "${VAR}" SHELL_CONTEXT "${SUB_KEY}" "${NAME}"
  ${else}
    MessageBox MB_OK "Unsupported ${ROOT_KEY}"
  ${endif}
!macroend

Function handleUninstallResult
  Var /GLOBAL rootKey_uninstallResult
  Exch $rootKey_uninstallResult
  !insertmacro customUnInstallCheck
FunctionEnd

Function uninstallOldVersion
  Var /GLOBAL uninstallerFileName
  Var /GLOBAL installationDir
  Var /GLOBAL rootKey
  ClearErrors
  Exch $rootKey
  StrCpy $R0 0
  !insertmacro readReg $uninstallerFileName "$rootKey" "${UNINSTALL_REGISTRY_KEY}" UninstallString
  ${if} $uninstallerFileName == ""
    ClearErrors
    Return
  ${endif}
  !insertmacro readReg $installationDir "$rootKey" "${INSTALL_REGISTRY_KEY}" InstallLocation
  CopyFiles /SILENT "$uninstallerFileName" "$PLUGINSDIR\old-uninstaller.exe"
  ClearErrors
  ExecWait '"$PLUGINSDIR\old-uninstaller.exe" /S /KEEP_APP_DATA /$installMode --updated _?=$installationDir' $R0
FunctionEnd

Section "install"
  InitPluginsDir
  !insertmacro customCheckAppRunning
  Push "SHELL_CONTEXT"
  Call uninstallOldVersion
  Push "SHELL_CONTEXT"
  Call handleUninstallResult
  SetOutPath $INSTDIR
  File /r "${PAYLOAD}/*"
  WriteUninstaller "$INSTDIR\Uninstall Platen.exe"
  WriteRegStr SHELL_CONTEXT "${INSTALL_REGISTRY_KEY}" InstallLocation "$INSTDIR"
  WriteRegStr SHELL_CONTEXT "${UNINSTALL_REGISTRY_KEY}" UninstallString "$INSTDIR\Uninstall Platen.exe"
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
  DeleteRegKey SHELL_CONTEXT "${UNINSTALL_REGISTRY_KEY}"
  DeleteRegKey SHELL_CONTEXT "${INSTALL_REGISTRY_KEY}"
SectionEnd
