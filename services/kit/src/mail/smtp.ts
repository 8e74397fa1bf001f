import { createTransport } from 'nodemailer'
import type { Logger } from '../log.js'
import { type Mailbox, type Mailer, MailRefused } from './mailer.js'
import { toMime } from './mime.js'
import type { SmtpServer } from './smtp-url.js'

export type SmtpOptions = {
  server: SmtpServer
  from: Mailbox
  connectionsMax: number
  /** For connecting, TLS and the greeting, each. */
  connectTimeoutMs: number
  /** For the answer to each command, and to the message. */
  answerTimeoutMs: number
  log: Logger
}

export type SmtpServerOptions = Pick<SmtpOptions, 'server' | 'connectTimeoutMs' | 'answerTimeoutMs'>

/** Connects and signs in, and sends nothing; rejects with what the server does not do. */
export async function checkSmtpServer(options: SmtpServerOptions): Promise<void> {
  const { host, port } = options.server
  const transport = createTransport(transportOptions(options))
  try {
    await transport.verify()
  } catch (error) {
    throw explain(error as SmtpError, `${host}:${port}`)
  } finally {
    transport.close()
  }
}

/** Mail by way of an SMTP server; connections are kept for a while and used again. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const { server, from, log } = options
  const { host, port } = server
  const pool = createTransport({
    ...transportOptions(options),
    pool: true,
    maxConnections: options.connectionsMax,
    // Only while not a byte of the message was sent: the server had closed a connection at rest.
    maxRequeues: 1,
  })
  return {
    async send(message, signal) {
      const mime = toMime(message, from)
      try {
        const { response } = await pool.sendMail({ ...mime, ...(signal && { signal }) })
        log.info({ messageId: message.messageId, response }, 'a mail was sent')
      } catch (error) {
        throw explain(error as SmtpError, `${host}:${port}`)
      }
    },
    async [Symbol.asyncDispose]() {
      pool.close({ force: true })
    },
  }
}

function transportOptions({ server, connectTimeoutMs, answerTimeoutMs }: SmtpServerOptions) {
  const { host, port, secure, encrypted, user, password } = server
  return {
    host,
    port,
    secure,
    requireTLS: encrypted && !secure,
    ignoreTLS: !encrypted,
    ...(user && { auth: { user, pass: password } }),
    dnsTimeout: connectTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
  }
}

type SmtpError = Error & { code?: string; command?: string; permanent?: boolean; response?: string }

// A server may answer to a sign-in with what it was sent: that answer is not repeated.
function explain({ code, command, permanent, response, message }: SmtpError, server: string) {
  if (code === 'EAUTH' || command?.startsWith('AUTH')) {
    return new Error(`the mail server ${server} refused the user and password of SMTP_URL`)
  }
  if (!response) return new Error(`the mail server ${server} did not take it: ${message}`)
  const what = `the mail server ${server} answered to ${command}: ${response}`
  // What it says about the sender, or about us, an operator can mend: that is tried again.
  const isForGood = permanent && (command === 'RCPT TO' || command === 'DATA')
  return isForGood ? new MailRefused(what) : new Error(what)
}
