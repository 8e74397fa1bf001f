import type { CreateAdminOptions } from '../create-admin.js'
import { defineCommand } from './command.js'

export const createAdmin = defineCommand({
  name: 'create-admin',
  usage:
    '  create-admin <username>         creates an administrator, or promotes an existing account',
  optionUsage: `  --email <address>
                  create-admin: e-mail address of a new account
  --password-file <file>
                  create-admin: file with the password, - for standard input; default: prompt`,
  options: { email: { type: 'string' }, 'password-file': { type: 'string' } },
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
