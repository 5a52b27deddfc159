@echo off
rem Platen's command line, on the application it lies in.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Platen.exe" "%~dp0..\resources\app.asar\launcher.cjs" %*
exit /b %ERRORLEVEL%
