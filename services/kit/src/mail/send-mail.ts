import type { Executor } from '../db/statement.js'
import { newId } from '../ids.js'
import { defineJob } from '../jobs/define.js'
import type { Enqueue } from '../jobs/queue.js'
import { checkMessage } from './check.js'
import type { Mailbox, MailContent, Mailer, Message } from './mailer.js'

/** One mail to one person: several people get one each. */
export type Mail = MailContent & { to: Mailbox; replyTo?: Mailbox }

/**
 * Enqueues a mail in the transaction of the write that wants it. Its Message-ID is made here, once.
 * Until it is sent, the mail with its links is in the queue's table. Throws InvalidMail.
 */
export type SendMail = (tx: Executor, mail: Mail) => Promise<void>

// A process that stops waits for 5 s: until shortly before, an answer may still come.
const graceMs = 4000

/**
 * In the list of jobs of each service that sends mail. It is given up after about two days and a
 * half; what the server refuses for good is dead at once, for an operator to replay.
 */
export const sendMailJob = defineJob<{ mailer: Mailer }, Message>({
  name: 'send-mail',
  attemptsMax: 25,
  timeoutMs: 15 * 60_000,
  async run({ mailer }, message, signal) {
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const allowGrace = () => {
      timer = setTimeout(() => late.abort(signal.reason), graceMs)
    }
    signal.addEventListener('abort', allowGrace)
    try {
      await mailer.send(message, late.signal)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', allowGrace)
    }
  },
})

export function sendMailFrom(from: Mailbox, enqueue: Enqueue, isListed: boolean): SendMail {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return async (tx, mail) => {
    if (!isListed) throw new Error('a service that sends mail has sendMailJob among its jobs')
    const message = { ...mail, messageId: `<${newId()}@${domain}>` }
    checkMessage(message)
    await enqueue(tx, sendMailJob, message)
  }
}
