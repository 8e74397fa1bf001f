import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The reason why keys cannot be generated, or false. */
export const withoutSshKeygen: string | false = whyNot()

function whyNot() {
  if (!spawnSync('ssh-keygen', ['-?']).error) return false
  if (process.env.FIGBASE_CI) throw new Error('ssh-keygen is missing: .ci/run installs it')
  return 'ssh-keygen is not installed'
}

export type GeneratedKey = { privateKey: string; publicKey: string; fingerprint: string }

export type KeyOptions = {
  type?: string
  bits?: number
  format?: 'RFC4716' | 'PEM' | 'PKCS8'
  passphrase?: string
  /** More arguments of ssh-keygen. */
  more?: string[]
}

const run = (...args: string[]) => execFileSync('ssh-keygen', args, { stdio: 'pipe' }).toString()

function inScratch<T>(work: (file: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'figbase-ssh-'))
  try {
    return work(join(dir, 'key'))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Removes the comment of a line. */
const bare = (line: string) => line.trim().split(' ').slice(0, 2).join(' ')

/** Generates a key with ssh-keygen, with its public key and fingerprint. */
export function generateKey(options: KeyOptions = {}): GeneratedKey {
  const { type = 'ed25519', bits, format = 'RFC4716', passphrase = '', more = [] } = options
  return inScratch((file) => {
    const size = bits ? ['-b', String(bits)] : []
    run('-q', '-t', type, ...size, '-m', format, '-N', passphrase, '-C', 'me', ...more, '-f', file)
    return {
      privateKey: readFileSync(file, 'utf8'),
      publicKey: bare(readFileSync(`${file}.pub`, 'utf8')),
      fingerprint: run('-lf', `${file}.pub`).split(' ')[1] ?? '',
    }
  })
}

/** Converts an unencrypted key of `generateKey`, which is faster than generating another one. */
export function keyAs(key: GeneratedKey, options: Omit<KeyOptions, 'type' | 'bits'>): GeneratedKey {
  const { format = 'RFC4716', passphrase = '', more = [] } = options
  return inScratch((file) => {
    writeFileSync(file, key.privateKey, { mode: 0o600 })
    run('-q', '-p', '-P', '', '-N', passphrase, '-m', format, ...more, '-f', file)
    return { ...key, privateKey: readFileSync(file, 'utf8') }
  })
}

/** The public key of an unencrypted private key, derived by ssh-keygen. */
export function publicKeyOf(privateKey: string): string {
  return inScratch((file) => {
    writeFileSync(file, privateKey, { mode: 0o600 })
    return bare(run('-y', '-P', '', '-f', file))
  })
}

const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}
const string = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes)
  return Buffer.concat([u32(content.length), content])
}

/** An OpenSSH key with a valid header and an invalid secret part. */
export function envelope({
  type = 'ssh-ed25519',
  cipher = 'none',
  kdf = 'none',
  rounds = 16,
  keys = 1,
  secret = Buffer.alloc(64),
} = {}): string {
  const options = kdf === 'none' ? '' : Buffer.concat([string(Buffer.alloc(16)), u32(rounds)])
  return openSshText(
    Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      ...[string(cipher), string(kdf), string(options), u32(keys)],
      string(Buffer.concat([string(type), string(Buffer.alloc(32))])),
      string(secret),
    ]),
  )
}

export const openSshText = (bytes: Buffer): string =>
  [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    ...(bytes.toString('base64').match(/.{1,70}/g) ?? []),
    '-----END OPENSSH PRIVATE KEY-----',
    '',
  ].join('\n')

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const length =
    content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** An encrypted PKCS#8 key with this number of PBKDF2 rounds. */
export function pkcs8WithRounds(rounds: number): string {
  const pbkdf2 = hex('06 09 2a864886f70d01050c')
  const pbes2 = hex('06 09 2a864886f70d01050d')
  const hmacWithSha256 = hex('30 0c 06 08 2a864886f70d0209 05 00')
  const aes256Cbc = hex('06 09 60864801650304012a')
  const kdf = der(
    0x30,
    pbkdf2,
    der(0x30, der(0x04, Buffer.alloc(8, 1)), der(0x02, u32(rounds)), hmacWithSha256),
  )
  const cipher = der(0x30, aes256Cbc, der(0x04, Buffer.alloc(16, 2)))
  const algorithm = der(0x30, pbes2, der(0x30, kdf, cipher))
  const bytes = der(0x30, algorithm, der(0x04, Buffer.alloc(128, 3)))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  const label = 'ENCRYPTED PRIVATE KEY'
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
