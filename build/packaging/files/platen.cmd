@echo off
rem Starts Platen's command line with the Electron of the installed application.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Platen.exe" "%~dp0..\resources\app.asar\launcher.cjs" %*
exit /b %ERRORLEVEL%
