import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

export type MailServer = AsyncDisposable & { url: string }

/** An SMTP server that writes each mail to a file, like `MAIL_DIR`. */
export async function startMailServer(dir: string): Promise<MailServer> {
  await mkdir(dir, { recursive: true })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        store(dir, Buffer.concat(chunks)).then(() => done(), done)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?tls=none`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function store(dir: string, mail: Buffer): Promise<void> {
  const time = new Date().toISOString().replaceAll(':', '-')
  const file = join(dir, `${time}-${randomUUID()}.eml`)
  await writeFile(`${file}.new`, mail)
  await rename(`${file}.new`, file)
}
