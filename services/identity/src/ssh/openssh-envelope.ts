/** What can be read of an OpenSSH private key without its passphrase. */
export type OpenSshEnvelope = {
  /** Of the first key in it, for example `ssh-ed25519`. */
  type: string
  keys: number
  /** `none` when it is not encrypted. */
  cipher: string
  /** How often bcrypt is run on the passphrase; 0: there is none. */
  rounds: number
}

const magic = 'openssh-key-v1\0'

/** Undefined for what is no such key. The format is OpenSSH's PROTOCOL.key. */
export function readEnvelope(bytes: Buffer): OpenSshEnvelope | undefined {
  if (!bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined
  try {
    const fields = fieldsOf(bytes.subarray(magic.length))
    const [cipher, kdf, kdfOptions] = [fields.text(), fields.text(), fields.bytes()]
    const keys = fields.number()
    const type = fieldsOf(fields.bytes()).text()
    if (kdf === 'none') return { type, keys, cipher, rounds: 0 }
    if (kdf !== 'bcrypt') return undefined
    const options = fieldsOf(kdfOptions)
    options.bytes()
    return { type, keys, cipher, rounds: options.number() }
  } catch (error) {
    // Cut off.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Reads what SSH calls uint32 and string, one after the other. Throws a RangeError at the end. */
function fieldsOf(buffer: Buffer) {
  let at = 0
  const number = () => {
    at += 4
    return buffer.readUInt32BE(at - 4)
  }
  const bytes = () => {
    const length = number()
    if (length > buffer.length - at) throw new RangeError('the end comes before it should')
    at += length
    return buffer.subarray(at - length, at)
  }
  return { number, bytes, text: () => bytes().toString('latin1') }
}
