import type { Logger } from '../log.js'
import type { MailSettings } from './settings.js'

/** Connects to the configured mail server, if any, and signs in; rejects if that fails. */
export async function checkMailServer({ smtp }: MailSettings, timeoutMs: number): Promise<void> {
  if (!smtp) return
  // Loaded on demand, for a faster startup.
  const { checkSmtpServer } = await import('./smtp.js')
  const limits = { connectTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs }
  await checkSmtpServer({ server: smtp, ...limits })
}

/** Only warns, because mail waits in the queue while the server is unavailable. */
export async function warnUnreachableMailServer(
  settings: MailSettings,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  try {
    await checkMailServer(settings, timeoutMs)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'SMTP_URL: mail server unavailable; mail stays queued')
  }
}
