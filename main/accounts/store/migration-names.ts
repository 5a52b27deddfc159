/** The names of the migrations of the accounts database, in order. Separate from the migrations, which load the database library. */
export const migrationNames = [
  '0001-accounts-keys-jobs',
  '0002-tray',
  '0003-hot-folders',
  '0004-nodes',
  '0005-asynchronous-jobs',
  '0006-suspects',
  '0007-account-shares',
  '0008-encryption',
  '0009-callbacks-of-accounts',
] as const;

/**
 * The migration that a version of Platen must contain to use the schema after all migrations. A migration that removes what older
 * versions use raises it, and writes it to the table `schema_compatibility`.
 */
export const oldestCompatibleMigration: (typeof migrationNames)[number] = '0005-asynchronous-jobs';
