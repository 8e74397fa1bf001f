import { createTransport } from 'nodemailer'
import type { Logger } from '../log.js'
import { type Mailbox, type Mailer, MailRefused } from './mailer.js'
import { toMime } from './mime.js'
import type { SmtpServer } from './smtp-url.js'

export type SmtpOptions = {
  server: SmtpServer
  from: Mailbox
  connectionsMax: number
  /** Timeout each for connecting, TLS and the greeting. */
  connectTimeoutMs: number
  /** Timeout for the response to each command and to the message. */
  answerTimeoutMs: number
  log: Logger
}

export type SmtpServerOptions = Pick<SmtpOptions, 'server' | 'connectTimeoutMs' | 'answerTimeoutMs'>

/** Connects and signs in without sending; rejects with the failed step. */
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

/** Sends mail to an SMTP server over pooled connections. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const { server, from, log } = options
  const { host, port } = server
  const pool = createTransport({
    ...transportOptions(options),
    pool: true,
    maxConnections: options.connectionsMax,
    // Retries only before any byte of the message was sent, on an idle connection closed by the server.
    maxRequeues: 1,
  })
  return {
    async send(message, signal) {
      const mime = toMime(message, from)
      try {
        const { response } = await pool.sendMail({ ...mime, ...(signal && { signal }) })
        log.info({ messageId: message.messageId, response }, 'mail sent')
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

// The response to a sign-in may repeat the credentials, so it is not included.
function explain({ code, command, permanent, response, message }: SmtpError, server: string) {
  if (code === 'EAUTH' || command?.startsWith('AUTH')) {
    return new Error(`mail server ${server} rejected the user and password of SMTP_URL`)
  }
  if (!response) return new Error(`mail server ${server} failed: ${message}`)
  const description = `mail server ${server} responded to ${command}: ${response}`
  // Other permanent errors concern the sender or this host; an operator can fix them, so they are retried.
  const isPermanent = permanent && (command === 'RCPT TO' || command === 'DATA')
  return isPermanent ? new MailRefused(description) : new Error(description)
}
