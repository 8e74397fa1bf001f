import type { CreateAdminOptions } from '../create-admin.js'
import { defineCommand } from './command.js'

export const createAdmin = defineCommand({
  name: 'create-admin',
  summary: 'creates an administrator, or promotes an existing account',
  arguments: { '<username>': 'the username of the administrator' },
  options: {
    email: { type: 'string', value: '<address>', description: 'e-mail address of a new account' },
    'password-file': {
      type: 'string',
      value: '<file>',
      description: 'file with the password, - for standard input; default: prompt',
    },
  },
  example: 'create-admin margaret --email margaret@example.org',
  requiresSettings: true,
  parse({ words, email, 'password-file': passwordFile }): CreateAdminOptions {
    const [username, ...rest] = words
    if (!username || rest.length > 0) throw new Error('create-admin takes a username')
    return {
      username,
      ...(email !== undefined && { email }),
      ...(passwordFile !== undefined && { passwordFile }),
    }
  },
  run: async (options, host) => (await import('../create-admin.js')).runCreateAdmin(options, host),
})
