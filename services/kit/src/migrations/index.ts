export { type DatabaseOf, migrateAll, missingMigrations, schemasOf } from './migrate-all.js'
export { migrationListsOf } from './service-migrations.js'
