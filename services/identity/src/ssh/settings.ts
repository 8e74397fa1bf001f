import type { EnvReader } from '@figbase/kit/config'

export const readSshKeySettings = (env: EnvReader) => ({
  perUserMax: env.int('SSH_KEYS_MAX', 50, 'maximum number of SSH keys per user'),
  bytesMax: env.bytes('SSH_KEY_BYTES_MAX', '64KiB', 'maximum size of a private SSH key as sent'),
  bcryptRoundsMax: env.int(
    'SSH_KEY_BCRYPT_ROUNDS_MAX',
    256,
    'maximum bcrypt rounds of an encrypted SSH key (`ssh-keygen -a`); each takes about 30 ms',
  ),
  readTimeoutMs: env.duration(
    'SSH_KEY_READ_TIMEOUT',
    '20s',
    'timeout for decrypting a private SSH key; less than `CALL_TIMEOUT`',
  ),
})
