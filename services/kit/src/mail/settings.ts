import type { EnvReader } from '../config/config.js'
import { isEmailAddress } from './check.js'
import type { Mailbox } from './mailer.js'
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js'

export type MailSettings = {
  smtp?: SmtpServer
  from: Mailbox
  connectTimeoutMs: number
  answerTimeoutMs: number
  dir: string
}

export function readMailSettings(env: EnvReader): MailSettings {
  const smtp = readSmtpServer(env)
  return {
    ...(smtp && { smtp }),
    from: readSender(env, Boolean(smtp)),
    connectTimeoutMs: env.duration(
      'SMTP_CONNECT_TIMEOUT',
      '30s',
      'timeout for connecting to the mail server and for its greeting',
    ),
    answerTimeoutMs: env.duration(
      'SMTP_ANSWER_TIMEOUT',
      '5m',
      'timeout for each response of the mail server; if it is too short, mail is delivered twice',
    ),
    dir: env.text(
      'MAIL_DIR',
      '',
      'directory to which mail is written without `SMTP_URL`; default: `mail` in the data directory',
    ),
  }
}

function readSmtpServer(env: EnvReader): SmtpServer | undefined {
  const value = env.text(
    'SMTP_URL',
    '',
    'URL of the mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://…` (TLS), `smtp://…?tls=none`; empty: mail is written to files',
  )
  if (!value) return undefined
  const server = parseSmtpUrl(value)
  // The value is not shown, because it contains a password.
  if (!server) {
    env.problems.push(
      'SMTP_URL is not valid (for example smtp://user:password@host:587; special characters in user and password as %40)',
    )
  }
  return server
}

const localSender = { address: 'figbase@localhost', name: 'Figbase' }
const mailboxPattern = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/

function readSender(env: EnvReader, isRequired: boolean): Mailbox {
  const about = 'sender of mail, as `Figbase <figbase@example.org>`; required with `SMTP_URL`'
  const value = env.text('MAIL_FROM', '', about)
  if (!value) {
    if (isRequired) env.problems.push(`MAIL_FROM is required: ${about}`)
    return localSender
  }
  const [, name = '', inBrackets, bare = ''] = mailboxPattern.exec(value) ?? []
  const address = inBrackets ?? bare
  if (!isEmailAddress(address) || /\p{Cc}/u.test(name)) {
    env.problems.push(`MAIL_FROM: '${value}' is not valid (${about})`)
  }
  return name ? { address, name } : { address }
}
