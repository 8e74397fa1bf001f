export { type MigrateOptions, type Migration, migrate } from './migrate.js'
export { type Cursor, decodeCursor, encodeCursor, pageSize, pageSizeMax, toPage } from './page.js'
export { parseDatabaseUrl } from './parse-url.js'
export { ConcurrentChange, constraintOf, isStatementError } from './pg-errors.js'
export {
  type Database,
  type DatabaseUrls,
  readDatabaseDirectUrl,
  readDatabaseUrl,
  resolveDatabase,
} from './resolve-database.js'
export { type Resealed, type SealedColumn, sealedColumn } from './sealed-column.js'
export { type Lock, openSession, type Session } from './session.js'
export { type Executor, type Statement, statement } from './statement.js'
export { isValidTime, toIso, toTimestamp, toTimestampOrNone } from './time.js'
