import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createLogger } from '../src/log.js'
import { createSmtpMailer, type SmtpOptions } from '../src/mail/smtp.js'
import { parseSmtpUrl } from '../src/mail/smtp-url.js'

export type MailServerOptions = SMTPServerOptions & {
  /** Response to a received message; `accept` stores it. */
  answer?: (accept: () => void, refuse: (code: number, why: string) => void) => void
}

/** A real SMTP server on a free port that stores received messages. */
export async function startMailServer({ answer, ...options }: MailServerOptions = {}) {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString('utf8'))
        const accept = () => callback()
        const refuse = (code: number, why: string) => callback(refusal(code, why))
        if (answer) answer(accept, refuse)
        else accept()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    url: `smtp://127.0.0.1:${port}?tls=none`,
    /** All received messages, including rejected ones. */
    messages,
    connections: () => sockets.size,
    dropAll,
    async [Symbol.asyncDispose]() {
      dropAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const refusal = (responseCode: number, why: string): Error =>
  Object.assign(new Error(why), { responseCode })

/** A mailer for `url` with short timeouts. */
export function mailerTo(url: string, options: Partial<SmtpOptions> = {}) {
  const server = parseSmtpUrl(url)
  if (!server) throw new Error(`not an SMTP_URL: ${url}`)
  return createSmtpMailer({
    server,
    from: { address: 'figbase@example.org' },
    connectionsMax: 2,
    connectTimeoutMs: 5000,
    answerTimeoutMs: 5000,
    log: createLogger('test', 'silent'),
    ...options,
  })
}
