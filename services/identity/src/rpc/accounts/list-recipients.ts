import { invalid } from '@figbase/kit/errors'
import { isEmailAddress } from '@figbase/kit/mail'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { isUsername } from '../../domain/new-user.js'
import { mailLanguageOf, wantsMentionEmails } from '../../domain/profile.js'
import { listRecipients as listRows } from '../../queries/recipients.js'
import type { AccountsImpl } from '../../routes.js'

const usersMax = 1000

export function listRecipients({ db }: Ctx): AccountsImpl['listRecipients'] {
  return async ({ usernames }, call) => {
    requireSystem(call)
    if (usernames.length > usersMax)
      throw invalid('usernames', `must have at most ${usersMax} items`)
    const rows = await listRows(db, usernames.filter(isUsername))
    // Accounts of older versions may have invalid addresses.
    const reached = rows.filter(({ email }) => isEmailAddress(email))
    return {
      recipients: reached.map(({ username, email, first_name, last_name, profile }) => ({
        username,
        email,
        firstName: first_name,
        lastName: last_name,
        mailLanguage: mailLanguageOf(profile),
        mentionEmails: wantsMentionEmails(profile),
      })),
    }
  }
}
