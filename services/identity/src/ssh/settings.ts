import type { EnvReader } from '@figbase/kit'

export const readSshKeySettings = (env: EnvReader) => ({
  perUserMax: env.int('SSH_KEYS_MAX', 50, 'SSH keys that a user can have'),
  bytesMax: env.bytes('SSH_KEY_BYTES_MAX', '64KiB', 'size of a private SSH key as it is sent'),
  bcryptRoundsMax: env.int(
    'SSH_KEY_BCRYPT_ROUNDS_MAX',
    256,
    'rounds that an encrypted SSH key may ask for (`ssh-keygen -a`); each takes about 30 ms',
  ),
  readTimeoutMs: env.duration(
    'SSH_KEY_READ_TIMEOUT',
    '20s',
    'how long one private SSH key may take to decrypt; less than `CALL_TIMEOUT`',
  ),
})
