import type { Logger } from '../log.js'
import { createEmlFiles } from './eml-files.js'
import type { Mailer } from './mailer.js'
import type { MailSettings } from './settings.js'
import { createSmtpMailer } from './smtp.js'

/** The adapter that the settings ask for; connects when the first mail is sent. */
export function openMailer(
  { smtp, dir, ...settings }: MailSettings,
  { connectionsMax, log }: { connectionsMax: number; log: Logger },
): Mailer {
  if (!smtp) return createEmlFiles({ dir, from: settings.from, log })
  return createSmtpMailer({ ...settings, server: smtp, connectionsMax, log })
}
