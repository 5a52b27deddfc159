/**
 * Adds Platen's actions to the WiX project that electron-builder writes for the MSI: stop everything before files are replaced, start it
 * again afterwards, set up a service if public properties ask for one, and remove everything on uninstall. All actions run the command
 * line of the installed Platen (docs/service.md, "For installers") as the system. docs/install.md lists the properties.
 */

const { readFileSync, writeFileSync } = require('node:fs');

const upgradesOrRepairs = 'UPGRADINGPRODUCTCODE OR REINSTALL';
const staysInstalled = 'NOT (REMOVE="ALL")';
const installsService = `PLATEN_SERVICE="1" AND ${staysInstalled}`;

/**
 * `command`: arguments of platen.cmd; `execute`: a rollback action runs if a later step of the installation fails, and precedes the
 * action that it undoes; `result`: `check` ends the installation after a failure, and undoes it; `sequence`: InstallInitialize is 1500,
 * RemoveFiles 3500, InstallFiles 4000; `isOptional`: does nothing if the program is missing.
 * @typedef {{ id: string, command: string, execute: 'deferred' | 'rollback', result: 'check' | 'ignore', sequence: number, condition: string, isOptional?: true }} CommandAction
 * @type {readonly CommandAction[]}
 */
const commandActions = [
  {
    id: 'PlatenUndoSuspend',
    command: 'service resume',
    execute: 'rollback',
    result: 'ignore',
    sequence: 1510,
    condition: upgradesOrRepairs,
  },
  {
    // Without the program, which a virus scanner may have removed, nothing can be stopped. A failure would also prevent the repair.
    id: 'PlatenSuspend',
    command: 'service suspend',
    execute: 'deferred',
    result: 'check',
    sequence: 1511,
    condition: upgradesOrRepairs,
    isOptional: true,
  },
  {
    // A failure must not keep the package on the machine.
    id: 'PlatenRemove',
    command: 'service remove',
    execute: 'deferred',
    result: 'ignore',
    sequence: 1512,
    condition: 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE',
  },
  {
    id: 'PlatenUndoResume',
    command: 'service suspend',
    execute: 'rollback',
    result: 'ignore',
    sequence: 4010,
    condition: staysInstalled,
  },
  {
    id: 'PlatenResume',
    command: 'service resume',
    execute: 'deferred',
    result: 'ignore',
    sequence: 4011,
    condition: staysInstalled,
  },
  {
    // An upgrade that fails keeps the service of the old version.
    id: 'PlatenUndoService',
    command: 'service uninstall',
    execute: 'rollback',
    result: 'ignore',
    sequence: 4012,
    condition: `${installsService} AND NOT Installed AND NOT WIX_UPGRADE_DETECTED`,
  },
  {
    id: 'PlatenService',
    command: 'service install[PLATEN_ARGUMENTS]',
    execute: 'deferred',
    result: 'check',
    sequence: 4013,
    condition: installsService,
  },
];

/**
 * Properties that the installation computes before the script of the transaction is written: the shell, and the flags of
 * `platen service install` in the order of the list.
 * @type {readonly { id: string, property: string, value: string, condition: string }[]}
 */
const propertyActions = [
  { id: 'SetPlatenShell', property: 'PlatenShell', value: '[System64Folder]cmd.exe', condition: '1' },
  ...[
    ['PLATEN_PORT', '--port [PLATEN_PORT]', 'PLATEN_PORT'],
    ['PLATEN_HOST', '--host [PLATEN_HOST]', 'PLATEN_HOST'],
    // A backslash before the closing quote would escape the quote. Platen removes `\.` from a path.
    ['PLATEN_DATA', '--data &quot;[PLATEN_DATA]\\.&quot;', 'PLATEN_DATA'],
    ['PLATEN_FIREWALL', '--firewall', 'PLATEN_FIREWALL="1"'],
  ].map(([property, flags, condition = '']) => ({
    id: `Set${property}`,
    property: 'PLATEN_ARGUMENTS',
    value: `[PLATEN_ARGUMENTS] ${flags}`,
    condition,
  })),
];

const publicProperties = ['PLATEN_SERVICE', 'PLATEN_PORT', 'PLATEN_HOST', 'PLATEN_DATA', 'PLATEN_FIREWALL'];

/**
 * Returns the project with the actions. Also includes the removal of the old version in the transaction: by default, WiX removes it
 * before, so that a failed upgrade leaves no version.
 * @param {string} project @returns {string} @throws {Error} if the project has another structure
 */
exports.withPlatenActions = function withPlatenActions(project) {
  const upgrade = project.replace('<MajorUpgrade ', '<MajorUpgrade Schedule="afterInstallInitialize" ');
  const end = upgrade.lastIndexOf('</Product>');
  if (upgrade === project || end < 0)
    throw new Error('The WiX project of electron-builder has no MajorUpgrade or no Product element.');
  return `${upgrade.slice(0, end)}${platenElements()}${upgrade.slice(end)}`;
};

/** Called by electron-builder with the path of the project. @param {string} file */
exports.msiProjectCreated = function msiProjectCreated(file) {
  writeFileSync(file, exports.withPlatenActions(readFileSync(file, 'utf8')));
};

function platenElements() {
  const lines = [
    '<!-- Restart Manager would end the processes, which PlatenSuspend asks to finish their jobs. -->',
    '<Property Id="MSIRESTARTMANAGERCONTROL" Value="DisableShutdown"/>',
    ...publicProperties.map((property) => `<Property Id="${property}" Secure="yes"/>`),
    ...propertyActions.map(
      ({ id, property, value }) => `<CustomAction Id="${id}" Property="${property}" Value="${value}"/>`,
    ),
    ...commandActions.map(commandElement),
    '<InstallExecuteSequence>',
    // CostFinalize is 1000; before, the folders are not known.
    ...propertyActions.map(({ id, condition }, index) => custom(id, 1010 + index, condition)),
    ...commandActions.map(({ id, sequence, condition }) => custom(id, sequence, condition)),
    '</InstallExecuteSequence>',
  ];
  return `${lines.join('\n    ')}\n  `;
}

/** cmd.exe removes the first and the last quote (/s). @param {CommandAction} action */
function commandElement({ id, command, execute, result, isOptional }) {
  const program = '&quot;[APPLICATIONFOLDER]Platen.exe&quot;';
  const batchFile = '&quot;[APPLICATIONFOLDER]bin\\platen.cmd&quot;';
  const condition = isOptional ? `if exist ${program} if exist ${batchFile} ` : '';
  const line = `/d /s /c &quot;${condition}${batchFile} ${command}&quot;`;
  return `<CustomAction Id="${id}" Property="PlatenShell" ExeCommand="${line}" Execute="${execute}" Impersonate="no" Return="${result}"/>`;
}

/** @param {string} action @param {number} sequence @param {string} condition */
function custom(action, sequence, condition) {
  return `<Custom Action="${action}" Sequence="${sequence}">${condition}</Custom>`;
}
