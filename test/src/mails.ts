import { watch } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { deployment } from './deployment.js'

/** The reason to skip tests that read mail, or false. */
export const withoutMail: string | false = deployment.dataDir
  ? false
  : 'needs the mail that the deployment writes to files'

const dir = join(deployment.dataDir ?? '', 'mail')
/** The start of this test file; the names of mail files begin with their time. */
const begun = new Date(performance.timeOrigin - 1000).toISOString().replaceAll(':', '-')
const known = new Map<string, Promise<Buffer>>()

/** The mails to an address since this test file began, oldest first. */
export async function mailsTo(address: string): Promise<ParsedMail[]> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const names = (await readdir(dir)).filter((name) => name.endsWith('.eml') && name >= begun)
  const all = await Promise.all(names.sort().map(bytesOf))
  const about = all.filter((bytes) => bytes.includes(address))
  const mails = await Promise.all(about.map((bytes) => simpleParser(bytes)))
  return mails.filter(({ to }) => addressesOf(to).includes(address))
}

/** Waits for the nth mail to an address with this subject. */
export async function mailTo(
  address: string,
  subject: string | RegExp,
  nth = 1,
): Promise<ParsedMail> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const timeout = AbortSignal.timeout(60_000)
  let notify = () => {}
  const watcher = watch(dir, () => notify())
  timeout.addEventListener('abort', () => notify())
  try {
    for (;;) {
      const next = new Promise<void>((resolve) => {
        notify = resolve
      })
      const found = (await mailsTo(address)).filter((mail) => isAbout(mail, subject))
      const mail = found[nth - 1]
      if (mail) return mail
      if (timeout.aborted) throw new Error(`no mail to ${address} about ${subject}`)
      await next
    }
  } finally {
    watcher.close()
  }
}

/** The path of the link in a mail. */
export function linkIn({ text = '' }: ParsedMail): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (!link) throw new Error(`no link in ${text}`)
  return new URL(link).pathname
}

/** The token in the link of a mail. */
export const tokenIn = (mail: ParsedMail): string => linkIn(mail).split('/').at(-1) ?? ''

function bytesOf(name: string): Promise<Buffer> {
  const bytes = known.get(name) ?? readFile(join(dir, name))
  known.set(name, bytes)
  return bytes
}

const addressesOf = (to: ParsedMail['to']) =>
  [to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''))

const isAbout = (mail: ParsedMail, subject: string | RegExp) =>
  typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject ?? '')
