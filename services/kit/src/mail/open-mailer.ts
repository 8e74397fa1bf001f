import type { Logger } from '../log.js'
import type { Mailer } from './mailer.js'
import type { MailSettings } from './settings.js'

/** The configured mailer; loaded and connected with the first mail. */
export function openMailer(
  { smtp, dir, ...settings }: MailSettings,
  { connectionsMax, log }: { connectionsMax: number; log: Logger },
): Mailer {
  const open = async () => {
    if (!smtp) {
      const { createEmlFiles } = await import('./eml-files.js')
      return createEmlFiles({ dir, from: settings.from, log })
    }
    const { createSmtpMailer } = await import('./smtp.js')
    return createSmtpMailer({ ...settings, server: smtp, connectionsMax, log })
  }
  let opened: Promise<Mailer> | undefined
  return {
    async send(message, signal) {
      opened ??= open()
      const mailer = await opened
      return mailer.send(message, signal)
    },
    async [Symbol.asyncDispose]() {
      const mailer = await opened
      await mailer?.[Symbol.asyncDispose]()
    },
  }
}
