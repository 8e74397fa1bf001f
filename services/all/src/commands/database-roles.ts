import { defineCommand, refuseWords } from './command.js'

export const databaseRoles = defineCommand({
  name: 'database-roles',
  summary: 'prints SQL that creates a role per service in your PostgreSQL',
  options: {},
  example: 'database-roles > roles.sql',
  parse: ({ words }) => refuseWords(words),
  run: async () => (await import('../database-roles.js')).runDatabaseRoles(),
})
