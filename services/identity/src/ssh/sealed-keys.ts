/** For `keys.derive`. */
export const sshKeyPurpose = 'SSH keys'
