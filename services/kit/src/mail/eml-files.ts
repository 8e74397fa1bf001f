import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import { makeDirectory } from '../files/make-directory.js'
import type { Logger } from '../log.js'
import type { Mailbox, Mailer } from './mailer.js'
import { toMime } from './mime.js'

export type EmlFilesOptions = { dir: string; from: Mailbox; log: Logger }

/**
 * Writes each mail to an `.eml` file, readable by its owner only, named
 * `2026-01-31T09-30-00.000Z-<Message-ID>.eml`.
 */
export function createEmlFiles({ dir, from, log }: EmlFilesOptions): Mailer {
  return {
    async send(message) {
      const mime = { ...toMime(message, from), newline: 'windows' }
      if (!dir) throw new Error('mail cannot be sent: set SMTP_URL or MAIL_DIR')
      await makeDirectory(dir)
      const file = join(dir, nameOf(message.messageId))
      await writeAtomically(dir, file, await new MailComposer(mime).compile().build())
      log.info(
        { messageId: message.messageId, file },
        'mail written to a file instead of being sent',
      )
    },
    async [Symbol.asyncDispose]() {},
  }
}

function nameOf(messageId: string) {
  const time = new Date().toISOString().replaceAll(':', '-')
  return `${time}-${messageId.slice(1, -1).replaceAll(/[^\w.@+-]/g, '_')}.eml`
}

/** Renames the file to its name after its bytes are on disk. */
async function writeAtomically(dir: string, target: string, bytes: Uint8Array) {
  const temporary = join(dir, `.${randomUUID()}`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
    await file.close()
    await rename(temporary, target)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}
