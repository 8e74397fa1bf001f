import type { Migration } from '../db/migrate.js'
import { eventMigrations } from '../events/migrations.js'
import { jobMigrations } from '../jobs/migrations.js'
import { keyedResultMigrations } from '../keyed/migrations.js'
import type { Service } from '../service/service.js'

/** The migrations of a service's schema, as independent lists. */
export function migrationListsOf(service: Service): Migration[][] {
  const { jobs, publishes = [], consumers = [], migrations, recordsResults } = service
  const hasEvents = publishes.length > 0 || consumers.length > 0
  return [
    jobs ? jobMigrations : [],
    hasEvents ? eventMigrations : [],
    recordsResults ? keyedResultMigrations : [],
    migrations,
  ]
}
