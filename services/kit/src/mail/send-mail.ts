import type { Executor } from '../db/statement.js'
import { newId } from '../ids.js'
import { defineJob } from '../jobs/define.js'
import type { Enqueue } from '../jobs/queue.js'
import { checkMessage } from './check.js'
import type { Mailbox, Mailer, Message } from './mailer.js'

/** A mail to one recipient. */
export type Mail = Omit<Message, 'messageId'>

/**
 * Enqueues a mail in the transaction of the write that needs it, with its final Message-ID. Until it is sent,
 * the mail with its links is stored in the queue's table. Throws InvalidMail.
 */
export type SendMail = (tx: Executor, mail: Mail) => Promise<void>

// Below the 5 s that a shutdown waits for jobs, to receive the server's response if possible.
const graceMs = 4000

/**
 * To be listed in the jobs of each service that sends mail. Retries end after about two and a half days; mail that
 * the server rejects permanently is dead at once, for an operator to replay.
 */
export const sendMailJob = defineJob<{ mailer: Mailer }, Message>({
  name: 'send-mail',
  attemptsMax: 25,
  timeoutMs: 15 * 60_000,
  async run({ mailer }, message, signal) {
    const aborting = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const startGrace = () => {
      timer = setTimeout(() => aborting.abort(signal.reason), graceMs)
    }
    signal.addEventListener('abort', startGrace)
    try {
      await mailer.send(message, aborting.signal)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', startGrace)
    }
  },
})

export function sendMailFrom(from: Mailbox, enqueue: Enqueue, isListed: boolean): SendMail {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return async (tx, mail) => {
    if (!isListed) throw new Error('sendMail requires sendMailJob among the jobs of the service')
    const message = { ...mail, messageId: `<${newId()}@${domain}>` }
    checkMessage(message)
    await enqueue(tx, sendMailJob, message)
  }
}
