import { eventMigrations } from '../events/migrations.js'
import { jobMigrations } from '../jobs/migrations.js'
import type { Service } from '../service.js'
import type { Migration } from './migrate.js'

/** All that makes the schema of a service, in lists that know nothing of each other. */
export function migrationListsOf(service: Service): Migration[][] {
  const { jobs, publishes = [], consumers = [], migrations } = service
  const hasEvents = publishes.length > 0 || consumers.length > 0
  return [jobs ? jobMigrations : [], hasEvents ? eventMigrations : [], migrations]
}
