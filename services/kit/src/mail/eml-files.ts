import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Logger } from '../log.js'
import { makeDirectory } from '../make-directory.js'
import type { Mailbox, Mailer } from './mailer.js'
import { toMime } from './mime.js'

export type EmlFilesOptions = { dir: string; from: Mailbox; log: Logger }

/**
 * Each mail as a file that mail programs open, for its owner only. Its name is the time and the
 * Message-ID: `2026-01-31T09-30-00.000Z-<Message-ID>.eml`.
 */
export function createEmlFiles({ dir, from, log }: EmlFilesOptions): Mailer {
  return {
    async send(message) {
      const mime = { ...toMime(message, from), newline: 'windows' }
      if (!dir) throw new Error('neither SMTP_URL nor MAIL_DIR is set: mail cannot be sent')
      await makeDirectory(dir)
      const file = join(dir, nameOf(message.messageId))
      await writeWhole(dir, file, await new MailComposer(mime).compile().build())
      log.info({ messageId: message.messageId, file }, 'a mail was written to a file, not sent')
    },
    async [Symbol.asyncDispose]() {},
  }
}

function nameOf(messageId: string) {
  const time = new Date().toISOString().replaceAll(':', '-')
  return `${time}-${messageId.slice(1, -1).replaceAll(/[^\w.@+-]/g, '_')}.eml`
}

/** A file gets its name when its bytes are on the disk. */
async function writeWhole(dir: string, target: string, bytes: Uint8Array) {
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
