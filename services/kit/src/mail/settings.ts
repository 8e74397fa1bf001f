import type { EnvReader } from '../config.js'
import { isAddress } from './check.js'
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
      'how long the mail server may take to accept a connection, and to greet',
    ),
    answerTimeoutMs: env.duration(
      'SMTP_ANSWER_TIMEOUT',
      '5m',
      'how long it may take to answer; where it is too short, mail arrives twice',
    ),
    dir: env.text(
      'MAIL_DIR',
      '',
      'where mail is written without `SMTP_URL`; by default `mail` in the data directory',
    ),
  }
}

function readSmtpServer(env: EnvReader): SmtpServer | undefined {
  const value = env.text(
    'SMTP_URL',
    '',
    'the mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://…` (TLS), `smtp://…?tls=none`; empty: mail is written to files',
  )
  if (!value) return undefined
  const server = parseSmtpUrl(value)
  // The value is not shown: it holds a password.
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
  const about =
    'who the mail comes from, as `Figbase <figbase@example.org>`; required with `SMTP_URL`'
  const value = env.text('MAIL_FROM', '', about)
  if (!value) {
    if (isRequired) env.problems.push(`MAIL_FROM is required: ${about}`)
    return localSender
  }
  const [, name = '', inBrackets, bare = ''] = mailboxPattern.exec(value) ?? []
  const address = inBrackets ?? bare
  if (!isAddress(address) || /\p{Cc}/u.test(name)) {
    env.problems.push(`MAIL_FROM: '${value}' is not valid (${about})`)
  }
  return name ? { address, name } : { address }
}
