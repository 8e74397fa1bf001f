/** The header of an OpenSSH private key, readable without its passphrase. */
export type OpenSshEnvelope = {
  /** Type of the first key, for example `ssh-ed25519`. */
  type: string
  keys: number
  /** `none` when it is not encrypted. */
  cipher: string
  /** bcrypt rounds of the passphrase; 0 when not encrypted. */
  rounds: number
}

const magic = 'openssh-key-v1\0'

/** Undefined when the bytes are not such a key. The format is described in OpenSSH's PROTOCOL.key. */
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
    // The data is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Reads SSH's uint32 and string fields in sequence. Throws a RangeError beyond the end. */
function fieldsOf(buffer: Buffer) {
  let at = 0
  const number = () => {
    at += 4
    return buffer.readUInt32BE(at - 4)
  }
  const bytes = () => {
    const length = number()
    if (length > buffer.length - at) throw new RangeError('unexpected end of data')
    at += length
    return buffer.subarray(at - length, at)
  }
  return { number, bytes, text: () => bytes().toString('latin1') }
}
