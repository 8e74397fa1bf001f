import { InvalidMail, type Mailbox, type Message } from './mailer.js'

// Characters that are valid in headers and SMTP commands without quoting; letters of any script.
const localPart =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const label = /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
const control = /\p{Cc}|[\u2028\u2029]/u
const messageIdPattern = /^<[\w.+-]+@[\w.-]+>$/

const addressCharsMax = 254
const localPartCharsMax = 64
const headerCharsMax = 1000

/** Throws InvalidMail for values that cannot be sent or would inject headers. */
export function checkMessage(message: Message): void {
  checkMailbox('to', message.to)
  if (message.replyTo) checkMailbox('replyTo', message.replyTo)
  checkHeader('subject', message.subject)
  if (
    message.unsubscribeUrl !== undefined &&
    !/^https?:\/\/[!-;=?-~]+$/.test(message.unsubscribeUrl)
  ) {
    throw new InvalidMail('unsubscribeUrl', 'must be an http(s) URL')
  }
  if (!messageIdPattern.test(message.messageId)) {
    throw new InvalidMail('messageId', 'must be like <unique@domain>')
  }
}

export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    text.length <= addressCharsMax &&
    local.length <= localPartCharsMax &&
    localPart.test(local) &&
    labels.every((one) => one.length < 64 && label.test(one))
  )
}

function checkMailbox(field: string, { address, name = '' }: Mailbox) {
  if (!isEmailAddress(address))
    throw new InvalidMail(`${field}.address`, 'is not an e-mail address')
  checkHeader(`${field}.name`, name)
}

function checkHeader(field: string, value: string) {
  if (control.test(value)) {
    throw new InvalidMail(field, 'must not contain line breaks or other control characters')
  }
  if (value.length > headerCharsMax) {
    throw new InvalidMail(field, `must have at most ${headerCharsMax} characters`)
  }
}
