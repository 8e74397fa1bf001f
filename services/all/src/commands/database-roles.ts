import { defineCommand, refuseWords } from './command.js'

export const databaseRoles = defineCommand({
  name: 'database-roles',
  usage:
    '  database-roles                  prints SQL that creates a role per service in your PostgreSQL',
  options: {},
  parse: ({ words }) => refuseWords(words),
  run: async () => (await import('../database-roles.js')).runDatabaseRoles(),
})
