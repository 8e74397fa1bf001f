import type { Logger } from '../log.js'
import type { MailSettings } from './settings.js'

/** Connects to the mail server of the settings, if they name one, and signs in; rejects when it does not work. */
export async function checkMailServer({ smtp }: MailSettings, timeoutMs: number): Promise<void> {
  if (!smtp) return
  // Loaded only where it is used: a start without it is faster.
  const { checkSmtpServer } = await import('./smtp.js')
  const limits = { connectTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs }
  await checkSmtpServer({ server: smtp, ...limits })
}

/** Mail waits in the queue for its server, so a start only warns of one that does not work. */
export async function warnUnreachableMailServer(
  settings: MailSettings,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  try {
    await checkMailServer(settings, timeoutMs)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'SMTP_URL: the mail server does not work; mail waits for it')
  }
}
