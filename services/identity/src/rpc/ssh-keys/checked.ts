import type { ServiceImpl } from '@connectrpc/connect'
import { checkedText } from '@figbase/kit/text'
import type { SshKeysService } from '@figbase/proto/identity/ssh-keys'

export type SshKeysImpl = ServiceImpl<typeof SshKeysService>

const nameCharsMax = 200

export const checkedName = (name: string): string =>
  checkedText('name', name, { charsMin: 1, charsMax: nameCharsMax })
