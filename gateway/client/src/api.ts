export interface paths {
  '/api/token/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with a username and a password
     * @description The access token is sent with each request, as `Authorization: Bearer`. The refresh token gets new access tokens.
     */
    post: operations['issueToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/token/refresh/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Exchange a refresh token for a new access token
     * @description The refresh token remains valid.
     */
    post: operations['refreshToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/token/revoke/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign out: revoke a refresh token
     * @description With `all`, all refresh tokens of its user are revoked.
     */
    post: operations['revokeToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/info/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get information about this server
     * @description Everybody may read it.
     */
    get: operations['getInfo']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/versions/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the versions of the API
     * @description The oldest comes first, with what each added or changed. Everybody may read it.
     */
    get: operations['listVersions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/bootstrap/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get everything that a frontend loads first
     * @description The answer has the user, the workspaces, the settings of the site and the version of the API.
     */
    get: operations['getBootstrap']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the OpenAPI document of this version
     * @description Everybody may read it.
     */
    get: operations['getOpenApi']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List users
     * @description The list has the caller, or with `q` all users whose names begin with it.
     */
    get: operations['listUsers']
    put?: never
    /**
     * Sign up
     * @description The primary workspace of the user is created, too. The answer has tokens of the new user.
     */
    post: operations['createUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /**
     * Get a user
     * @description Of other users, only the public members are shown.
     */
    get: operations['getUser']
    /**
     * Update the account of the caller
     * @description Omitted members keep their values. Unknown members are ignored.
     */
    put: operations['replaceUser']
    post?: never
    /**
     * Delete an account
     * @description Users must send their password if they have one. Staff may delete any account.
     */
    delete: operations['deleteUser']
    options?: never
    head?: never
    /**
     * Update the account of the caller
     * @description Omitted members keep their values. Unknown members are ignored.
     */
    patch: operations['updateUser']
    trace?: never
  }
  '/user/{username}/contributions/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /**
     * Count the activities of the caller by day
     * @description The answer has the last 365 days (UTC), today last.
     */
    get: operations['listContributions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the accounts
     * @description The accounts are ordered by username. Only staff may read them.
     */
    get: operations['listAccounts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/{username}/sessions/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /**
     * List the sessions of a user
     * @description The newest comes first. A user may list their own sessions, and staff those of everybody.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * End all sessions of a user
     * @description Every refresh token and browser session of the user ends. Access tokens remain valid until they expire. A user may end their own sessions, and staff those of everybody.
     */
    delete: operations['endSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/account/{username}/sessions/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a session of a user
     * @description A user may end their own sessions, and staff those of everybody.
     */
    delete: operations['endSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api_key/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the API keys of the caller
     * @description The oldest comes first. The tokens are null.
     */
    get: operations['listApiKeys']
    put?: never
    /**
     * Create an API key
     * @description Only this answer contains the token. The request needs a sign-in with a password: it is rejected if it is made with an API key.
     */
    post: operations['createApiKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api_key/{api_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    /**
     * Get an API key of the caller
     * @description The token is null: only the answer that creates the key contains it.
     */
    get: operations['getApiKey']
    put?: never
    post?: never
    /**
     * Delete an API key of the caller
     * @description The key is rejected from then on. The request needs a sign-in with a password.
     */
    delete: operations['deleteApiKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the organizations that the caller may view
     * @description The oldest comes first. Pages are shallow.
     */
    get: operations['listOrganizations']
    put?: never
    /**
     * Create an organization
     * @description Every user may create one.
     */
    post: operations['createOrganization']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get an organization
     * @description The answer includes the objects directly below it, unless `shallow` is set.
     */
    get: operations['getOrganization']
    /**
     * Update an organization
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    put: operations['replaceOrganization']
    post?: never
    /**
     * Delete an organization
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteOrganization']
    options?: never
    head?: never
    /**
     * Update an organization
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    patch: operations['updateOrganization']
    trace?: never
  }
  '/organization/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore an organization that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreOrganization']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the workspaces that the caller may view
     * @description The oldest comes first. Pages are shallow.
     */
    get: operations['listWorkspaces']
    put?: never
    /**
     * Create a workspace
     * @description It may be in an organization, on which the caller then needs the permission CREATE.
     */
    post: operations['createWorkspace']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a workspace
     * @description The answer includes the objects directly below it, unless `shallow` is set.
     */
    get: operations['getWorkspace']
    /**
     * Update a workspace
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    put: operations['replaceWorkspace']
    post?: never
    /**
     * Delete a workspace
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteWorkspace']
    options?: never
    head?: never
    /**
     * Update a workspace
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    patch: operations['updateWorkspace']
    trace?: never
  }
  '/workspace/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a workspace that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreWorkspace']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the analyses that the caller may view
     * @description The oldest comes first. Pages are shallow.
     */
    get: operations['listAnalyses']
    put?: never
    /**
     * Create an analysis
     * @description The caller needs the permission CREATE on the workspace.
     */
    post: operations['createAnalysis']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get an analysis
     * @description The answer includes the objects directly below it, unless `shallow` is set.
     */
    get: operations['getAnalysis']
    /**
     * Update an analysis
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    put: operations['replaceAnalysis']
    post?: never
    /**
     * Delete an analysis
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteAnalysis']
    options?: never
    head?: never
    /**
     * Update an analysis
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    patch: operations['updateAnalysis']
    trace?: never
  }
  '/analysis/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore an analysis that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreAnalysis']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the figures that the caller may view
     * @description The oldest comes first. Pages are shallow.
     */
    get: operations['listFigures']
    put?: never
    /**
     * Create a figure
     * @description The caller needs the permission CREATE on the analysis.
     */
    post: operations['createFigure']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a figure
     * @description The answer includes the objects directly below it, unless `shallow` is set.
     */
    get: operations['getFigure']
    /**
     * Update a figure
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    put: operations['replaceFigure']
    post?: never
    /**
     * Delete a figure
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteFigure']
    options?: never
    head?: never
    /**
     * Update a figure
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    patch: operations['updateFigure']
    trace?: never
  }
  '/figure/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a figure that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreFigure']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the assets that the caller may view
     * @description The oldest comes first. Pages are shallow.
     */
    get: operations['listAssets']
    put?: never
    /**
     * Create an asset
     * @description The caller needs the permission CREATE on the workspace.
     */
    post: operations['createAsset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get an asset
     * @description The answer includes the objects directly below it, unless `shallow` is set.
     */
    get: operations['getAsset']
    /**
     * Update an asset
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    put: operations['replaceAsset']
    post?: never
    /**
     * Delete an asset
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteAsset']
    options?: never
    head?: never
    /**
     * Update an asset
     * @description Omitted members keep their values, with PUT and with PATCH.
     */
    patch: operations['updateAsset']
    trace?: never
  }
  '/asset/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore an asset that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreAsset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/deleted/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the deleted organizations of the caller that can be restored
     * @description The newest comes first. Objects that were deleted with their parent are not listed.
     */
    get: operations['listDeletedOrganizations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/deleted/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the deleted objects of an organization that can be restored
     * @description The newest comes first. Objects that were deleted with their parent are not listed.
     */
    get: operations['listDeletedInOrganization']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/members/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the members of an organization
     * @description Only direct members are listed, in the order in which they joined. The caller needs the permission MANAGE.
     */
    get: operations['listOrganizationMembers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/members/add/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add a member to an organization
     * @description The caller needs the permission MANAGE.
     */
    post: operations['addOrganizationMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/members/change/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the role of a member of an organization
     * @description The caller needs the permission MANAGE.
     */
    post: operations['changeOrganizationMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/members/remove/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove a member from an organization
     * @description The caller needs the permission MANAGE, except to leave. In the answer, the role is null.
     */
    post: operations['removeOrganizationMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/invitations/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the pending invitations to an organization
     * @description The oldest comes first. The caller needs the permission MANAGE.
     */
    get: operations['listOrganizationInvitations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/organization/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Invite somebody to an organization by e-mail
     * @description The caller needs the permission MANAGE. Only this answer contains the token.
     */
    post: operations['createOrganizationInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/organization/{key}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    /**
     * Get an invitation to an organization
     * @description Members who may manage the organization get it by its id, and everybody by its token.
     */
    get: operations['getOrganizationInvitation']
    put?: never
    post?: never
    /**
     * Withdraw an invitation to an organization
     * @description The caller needs the permission MANAGE.
     */
    delete: operations['deleteOrganizationInvitation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/organization/{key}/accept/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Join an organization by invitation
     * @description The token of an invitation works once.
     */
    post: operations['acceptOrganizationInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/deleted/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the deleted workspaces of the caller that can be restored
     * @description The newest comes first. Objects that were deleted with their parent are not listed.
     */
    get: operations['listDeletedWorkspaces']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/deleted/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the deleted objects of a workspace that can be restored
     * @description The newest comes first. Objects that were deleted with their parent are not listed.
     */
    get: operations['listDeletedInWorkspace']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/members/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the members of a workspace
     * @description Only direct members are listed, in the order in which they joined. The caller needs the permission MANAGE.
     */
    get: operations['listWorkspaceMembers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/members/add/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add a member to a workspace
     * @description The caller needs the permission MANAGE.
     */
    post: operations['addWorkspaceMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/members/change/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the role of a member of a workspace
     * @description The caller needs the permission MANAGE.
     */
    post: operations['changeWorkspaceMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/members/remove/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove a member from a workspace
     * @description The caller needs the permission MANAGE, except to leave. In the answer, the role is null.
     */
    post: operations['removeWorkspaceMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/invitations/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the pending invitations to a workspace
     * @description The oldest comes first. The caller needs the permission MANAGE.
     */
    get: operations['listWorkspaceInvitations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/workspace/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Invite somebody to a workspace by e-mail
     * @description The caller needs the permission MANAGE. Only this answer contains the token.
     */
    post: operations['createWorkspaceInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/workspace/{key}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    /**
     * Get an invitation to a workspace
     * @description Members who may manage the workspace get it by its id, and everybody by its token.
     */
    get: operations['getWorkspaceInvitation']
    put?: never
    post?: never
    /**
     * Withdraw an invitation to a workspace
     * @description The caller needs the permission MANAGE.
     */
    delete: operations['deleteWorkspaceInvitation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/invitations/workspace/{key}/accept/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Join a workspace by invitation
     * @description The token of an invitation works once.
     */
    post: operations['acceptWorkspaceInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom an organization is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listOrganizationShares']
    put?: never
    /**
     * Share an organization with a user, or stop sharing
     * @description The request is rejected: an organization has members, and cannot be shared.
     */
    post: operations['shareOrganizationWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether an organization is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getOrganizationLinkShare']
    put?: never
    /**
     * Share an organization by link, or stop sharing
     * @description The request is rejected: an organization has members, and cannot be shared.
     */
    post: operations['shareOrganizationByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom a workspace is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listWorkspaceShares']
    put?: never
    /**
     * Share a workspace with a user, or stop sharing
     * @description The request is rejected: a workspace has members, and cannot be shared.
     */
    post: operations['shareWorkspaceWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether a workspace is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getWorkspaceLinkShare']
    put?: never
    /**
     * Share a workspace by link, or stop sharing
     * @description The request is rejected: a workspace has members, and cannot be shared.
     */
    post: operations['shareWorkspaceByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom an analysis is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listAnalysisShares']
    put?: never
    /**
     * Share an analysis with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAnalysisWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether an analysis is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getAnalysisLinkShare']
    put?: never
    /**
     * Share an analysis by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAnalysisByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom a figure is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listFigureShares']
    put?: never
    /**
     * Share a figure with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareFigureWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether a figure is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getFigureLinkShare']
    put?: never
    /**
     * Share a figure by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareFigureByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom a figure revision is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listRevisionShares']
    put?: never
    /**
     * Share a figure revision with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareRevisionWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether a figure revision is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getRevisionLinkShare']
    put?: never
    /**
     * Share a figure revision by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareRevisionByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom an asset is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listAssetShares']
    put?: never
    /**
     * Share an asset with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAssetWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether an asset is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getAssetLinkShare']
    put?: never
    /**
     * Share an asset by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAssetByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom an asset revision is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listAssetRevisionShares']
    put?: never
    /**
     * Share an asset revision with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAssetRevisionWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether an asset revision is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getAssetRevisionLinkShare']
    put?: never
    /**
     * Share an asset revision by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareAssetRevisionByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/share/user/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the users with whom a story is shared
     * @description Members of the workspace are not listed.
     */
    get: operations['listStoryShares']
    put?: never
    /**
     * Share a story with a user, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareStoryWithUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/share/link/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get whether a story is shared by link
     * @description Everybody who knows the address of a shared object may view it and everything below it.
     */
    get: operations['getStoryLinkShare']
    put?: never
    /**
     * Share a story by link, or stop sharing
     * @description The caller needs the permission SHARE. Everything below the object is shared, too.
     */
    post: operations['shareStoryByLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of an organization
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getOrganizationSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below an organization
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listOrganizationChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an organization
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getOrganizationThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an organization in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getOrganizationThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of an organization
     * @description The log covers everything below it, newest first.
     */
    get: operations['listOrganizationLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of an organization
     * @description Entries remain when their target is deleted.
     */
    get: operations['getOrganizationLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of a workspace
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getWorkspaceSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below a workspace
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listWorkspaceChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a workspace
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getWorkspaceThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a workspace in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getWorkspaceThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of a workspace
     * @description The log covers everything below it, newest first.
     */
    get: operations['listWorkspaceLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of a workspace
     * @description Entries remain when their target is deleted.
     */
    get: operations['getWorkspaceLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of an analysis
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getAnalysisSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below an analysis
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listAnalysisChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an analysis
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAnalysisThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an analysis in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAnalysisThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of an analysis
     * @description The log covers everything below it, newest first.
     */
    get: operations['listAnalysisLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/analysis/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of an analysis
     * @description Entries remain when their target is deleted.
     */
    get: operations['getAnalysisLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of a figure
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getFigureSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below a figure
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listFigureChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a figure
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getFigureThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a figure in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getFigureThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of a figure
     * @description The log covers everything below it, newest first.
     */
    get: operations['listFigureLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/figure/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of a figure
     * @description Entries remain when their target is deleted.
     */
    get: operations['getFigureLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of a figure revision
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getRevisionSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below a figure revision
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listRevisionChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a figure revision
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getRevisionThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a figure revision in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getRevisionThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of a figure revision
     * @description The log covers everything below it, newest first.
     */
    get: operations['listRevisionLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of a figure revision
     * @description Entries remain when their target is deleted.
     */
    get: operations['getRevisionLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of an asset
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getAssetSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below an asset
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listAssetChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an asset
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAssetThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an asset in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAssetThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of an asset
     * @description The log covers everything below it, newest first.
     */
    get: operations['listAssetLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of an asset
     * @description Entries remain when their target is deleted.
     */
    get: operations['getAssetLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of an asset revision
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getAssetRevisionSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below an asset revision
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listAssetRevisionChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an asset revision
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAssetRevisionThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of an asset revision in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getAssetRevisionThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of an asset revision
     * @description The log covers everything below it, newest first.
     */
    get: operations['listAssetRevisionLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of an asset revision
     * @description Entries remain when their target is deleted.
     */
    get: operations['getAssetRevisionLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of a story
     * @description The size is that of the decoded data of everything below it.
     */
    get: operations['getStorySize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List everything below a story
     * @description The list is recursive, includes data objects, and has no pages.
     */
    get: operations['listStoryChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a story
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getStoryThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of a story in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getStoryThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of a story
     * @description The log covers everything below it, newest first.
     */
    get: operations['listStoryLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of a story
     * @description Entries remain when their target is deleted.
     */
    get: operations['getStoryLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/overview/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Count the objects of a workspace
     * @description The answer also counts those that were active in the last seven days.
     */
    get: operations['getWorkspaceOverview']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/dashboard/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a summary of a workspace
     * @description The answer has the number of objects, the latest activity, and the stories that were active last.
     */
    get: operations['getWorkspaceDashboard']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/recent/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the objects of a workspace that were active last
     * @description At most `limit` objects of each type are listed.
     */
    get: operations['listRecentObjects']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset/find_by_name/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Find assets by their exact name
     * @description The answer lists the assets that the caller may view, oldest first.
     */
    post: operations['findAssetsByName']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the figure revisions that the caller may view
     * @description The oldest comes first.
     */
    get: operations['listRevisions']
    put?: never
    /**
     * Publish a figure revision
     * @description The data is processed in the background. The body is stored while it arrives, so its first member should be `figure`.
     */
    post: operations['createRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a figure revision
     * @description The answer includes its data objects, unless `shallow` is set.
     */
    get: operations['getRevision']
    /**
     * Update a figure revision
     * @description Omitted members keep their values. `data` replaces all data objects; an element with `api_id` keeps one.
     */
    put: operations['replaceRevision']
    post?: never
    /**
     * Delete a figure revision
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteRevision']
    options?: never
    head?: never
    /**
     * Update a figure revision
     * @description Omitted members keep their values. `data` replaces all data objects; an element with `api_id` keeps one.
     */
    patch: operations['updateRevision']
    trace?: never
  }
  '/revision/{id}/status/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get how far a figure revision has been processed
     * @description The answer tells whether its data is still being processed, and whether search finds it by all that is known of it.
     */
    get: operations['getRevisionStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a figure revision that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the asset revisions that the caller may view
     * @description The oldest comes first.
     */
    get: operations['listAssetRevisions']
    put?: never
    /**
     * Publish an asset revision
     * @description The data is processed in the background. The body is stored while it arrives, so its first member should be `asset`.
     */
    post: operations['createAssetRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get an asset revision
     * @description The answer includes its data objects, unless `shallow` is set.
     */
    get: operations['getAssetRevision']
    /**
     * Update an asset revision
     * @description Omitted members keep their values. `data` replaces all data objects; an element with `api_id` keeps one.
     */
    put: operations['replaceAssetRevision']
    post?: never
    /**
     * Delete an asset revision
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteAssetRevision']
    options?: never
    head?: never
    /**
     * Update an asset revision
     * @description Omitted members keep their values. `data` replaces all data objects; an element with `api_id` keeps one.
     */
    patch: operations['updateAssetRevision']
    trace?: never
  }
  '/asset_revision/{id}/status/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get how far an asset revision has been processed
     * @description The answer tells whether its data is still being processed, and whether search finds it by all that is known of it.
     */
    get: operations['getAssetRevisionStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore an asset revision that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreAssetRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the stories that the caller may view
     * @description The oldest comes first. The list has no content.
     */
    get: operations['listStories']
    put?: never
    /**
     * Create a story over figure revisions
     * @description Without `slides`, it gets a title and one slide for each revision. The caller needs the permission CREATE on the workspace.
     */
    post: operations['createStory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a story
     * @description Of a revision that the caller may not view, only the text that the author wrote is shown.
     */
    get: operations['getStory']
    /**
     * Update a story
     * @description Omitted members keep their values. `revisions` and `slides` replace all of them. Another `workspace` moves the story, in a request of its own.
     */
    put: operations['replaceStory']
    post?: never
    /**
     * Delete a story
     * @description Everything below it is deleted, too. It can be restored for some time.
     */
    delete: operations['deleteStory']
    options?: never
    head?: never
    /**
     * Update a story
     * @description Omitted members keep their values. `revisions` and `slides` replace all of them. Another `workspace` moves the story, in a request of its own.
     */
    patch: operations['updateStory']
    trace?: never
  }
  '/story/{id}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a story that was deleted
     * @description Everything below it that was deleted with it is restored, too.
     */
    post: operations['restoreStory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/history/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the saved versions of a story
     * @description The newest comes first. The caller needs the permission UPDATE on the story.
     */
    get: operations['listStoryVersions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/history/{number}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The number of the version, from 1. */
        number: components['parameters']['number']
      }
      cookie?: never
    }
    /**
     * Get a saved version of a story
     * @description The caller needs the permission UPDATE on the story.
     */
    get: operations['getStoryVersion']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/history/{number}/restore/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The number of the version, from 1. */
        number: components['parameters']['number']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Save an earlier version of a story again
     * @description It becomes the newest version. The caller needs the permission UPDATE on the story.
     */
    post: operations['restoreStoryVersion']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/export/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a task that exports a story
     * @description The export has what the caller may view. `url` in the result of the task downloads the file. `pdf` needs Chromium on the server.
     */
    post: operations['startStoryExport']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/story/{id}/export/{export_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the export. */
        export_id: string
      }
      cookie?: never
    }
    /**
     * Download an export of a story
     * @description Only the caller who started the export may download it, also a range of it.
     */
    get: operations['downloadStoryExport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/append_data/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add data objects to a figure revision
     * @description Existing data objects are kept.
     */
    post: operations['appendRevisionData']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/{id}/unlink_figure/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove the link of a figure revision to an asset revision
     * @description The figure revision can be deleted with it.
     */
    post: operations['unlinkFigureRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/generate_description/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let a language model describe a figure revision
     * @description The description is saved with the author `ai`. The answer is the updated revision.
     */
    post: operations['generateRevisionDescription']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/comment_count/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Count the comments on a figure revision
     * @description Answers to comments do not count.
     */
    get: operations['countRevisionComments']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/auto-assign/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish a figure revision that AI assigns to a figure of an analysis
     * @description The data is processed in the background. The body is stored while it arrives, so its first member should be `analysis`.
     */
    post: operations['createAutoAssignedRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/revision/{id}/derive/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a figure revision with the data objects of another one
     * @description The bytes are shared, not copied. The answer is the new revision.
     */
    post: operations['deriveRevision']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/asset_revision/find_by_hash/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Find asset revisions by the hash of their data
     * @description The answer lists the revisions that the caller may view, and is empty if there are none.
     */
    post: operations['findAssetRevisionsByHash']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/short_id_prefix/reserve/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reserve a prefix for short ids
     * @description The short ids that the caller assigns to revisions begin with it.
     */
    post: operations['reserveShortIdPrefix']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/upload/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin a resumable upload
     * @description The protocol is tus 1.0. `Upload-Metadata` names the target: one of `figure`, `asset`, `analysis`, `revision`, `asset_revision`. The body may have the first bytes.
     */
    post: operations['createUpload']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/upload/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Abandon an upload
     * @description The bytes received so far are deleted.
     */
    delete: operations['deleteUpload']
    options?: never
    /**
     * Get how many bytes of an upload were received
     * @description The number is in `Upload-Offset`.
     */
    head: operations['getUploadOffset']
    /**
     * Append bytes to an upload
     * @description The bytes begin at `Upload-Offset`. If the connection breaks, the bytes received so far are kept.
     */
    patch: operations['appendToUpload']
    trace?: never
  }
  '/upload/direct/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin an upload to the object store
     * @description The client then sends the bytes with one request to the URL in the answer. The object store must support it.
     */
    post: operations['createDirectUpload']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a data object
     * @description The answer is JSON with the bytes in base64, or without them if `shallow` is set. If `dl` is set, or `Accept` does not include JSON, it is the bytes themselves, also a range of them.
     */
    get: operations['getDataObject']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/size/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the size of a data object
     * @description The size is that of the decoded data.
     */
    get: operations['getDataObjectSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/children/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List what is below a data object
     * @description The list is always empty.
     */
    get: operations['listDataObjectChildren']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/storage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get where the bytes of a data object are stored
     * @description The caller needs the permission MANAGE on the workspace. Only staff see the path in the default storage.
     */
    get: operations['getDataObjectStorage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/thumbnail/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of the revision of a data object
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getDataObjectThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/thumbnail/{size}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    /**
     * Get the thumbnail of the revision of a data object in a given size
     * @description The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.
     */
    get: operations['getDataObjectThumbnailOfSize']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/log/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the activity log of the revision of a data object
     * @description The log covers everything below it, newest first.
     */
    get: operations['listDataObjectLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/data/{id}/log/{log_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    /**
     * Get an entry of the activity log of the revision of a data object
     * @description Entries remain when their target is deleted.
     */
    get: operations['getDataObjectLogItem']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tasks/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the tasks of the caller
     * @description The newest comes first. The bounds of times are inclusive.
     */
    get: operations['listTasks']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tasks/{task_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    /**
     * Get a task of the caller
     * @description A finished task has a `result` or an `error`.
     */
    get: operations['getTask']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tasks/{task_id}/logs/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    /**
     * List the lines that a task has logged
     * @description The oldest comes first.
     */
    get: operations['listTaskLogs']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tasks/{task_id}/cancel/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a task of the caller
     * @description The task must not have finished. Its work is stopped.
     */
    post: operations['cancelTask']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Follow live events
     * @description The events are the tasks of the caller, and changes in workspaces that the caller may view. `Last-Event-ID` resumes after an event. The answer ends when the credentials expire.
     */
    get: operations['followEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/plan/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the plans
     * @description A limit of null means unlimited.
     */
    get: operations['listPlans']
    put?: never
    /**
     * Create a plan
     * @description Only staff may create plans. An omitted limit means unlimited.
     */
    post: operations['createPlan']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/plan/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    /**
     * Update a plan
     * @description Only staff may update plans. Omitted members keep their values.
     */
    put: operations['replacePlan']
    post?: never
    /**
     * Delete a plan that is not in use
     * @description Only staff may delete plans.
     */
    delete: operations['deletePlan']
    options?: never
    head?: never
    /**
     * Update a plan
     * @description Only staff may update plans. Omitted members keep their values.
     */
    patch: operations['updatePlan']
    trace?: never
  }
  '/workspace/{id}/subscription/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the plan of a workspace, and its usage
     * @description The caller needs the permission MANAGE.
     */
    get: operations['getWorkspaceSubscription']
    put?: never
    /**
     * Change the plan of a workspace
     * @description The caller needs the permission MANAGE. A workspace of an organization with a plan has that plan.
     */
    post: operations['changeWorkspaceSubscription']
    delete?: never
    options?: never
    head?: never
    /**
     * Change the plan of a workspace
     * @description The caller needs the permission MANAGE. A workspace of an organization with a plan has that plan.
     */
    patch: operations['updateWorkspaceSubscription']
    trace?: never
  }
  '/organization/{id}/subscription/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the plan of an organization, and its usage
     * @description The caller needs the permission MANAGE.
     */
    get: operations['getOrganizationSubscription']
    put?: never
    /**
     * Change the plan of an organization
     * @description The caller needs the permission MANAGE. A workspace of an organization with a plan has that plan.
     */
    post: operations['changeOrganizationSubscription']
    delete?: never
    options?: never
    head?: never
    /**
     * Change the plan of an organization
     * @description The caller needs the permission MANAGE. A workspace of an organization with a plan has that plan.
     */
    patch: operations['updateOrganizationSubscription']
    trace?: never
  }
  '/workspace/{id}/promotion/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Apply a promotion code to a workspace
     * @description The caller needs the permission MANAGE. The answer is the resulting plan.
     */
    post: operations['applyWorkspacePromotion']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/storage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get where the data of a workspace is stored
     * @description The caller needs the permission MANAGE. Secrets are not shown.
     */
    get: operations['getWorkspaceStorage']
    put?: never
    /**
     * Change where to store new data of a workspace
     * @description The caller needs the permission MANAGE. The vendor and the credentials are tested with a small object.
     */
    post: operations['changeWorkspaceStorage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/storage/test/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Test storage settings for a workspace
     * @description The caller needs the permission MANAGE. The vendor and the credentials are tested with a small object.
     */
    post: operations['testWorkspaceStorage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/storage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get where the data of an organization is stored
     * @description The caller needs the permission MANAGE. Secrets are not shown.
     */
    get: operations['getOrganizationStorage']
    put?: never
    /**
     * Change where to store new data of an organization
     * @description The caller needs the permission MANAGE. The vendor and the credentials are tested with a small object.
     */
    post: operations['changeOrganizationStorage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/storage/test/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Test storage settings for an organization
     * @description The caller needs the permission MANAGE. The vendor and the credentials are tested with a small object.
     */
    post: operations['testOrganizationStorage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/promotion_code/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the promotion codes
     * @description Only staff may read them.
     */
    get: operations['listPromotionCodes']
    put?: never
    /**
     * Create a promotion code for a plan
     * @description Only staff may create codes. An omitted code is generated.
     */
    post: operations['createPromotionCode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/promotion_code/{code}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The promotion code. */
        code: string
      }
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a promotion code
     * @description Only staff may delete codes. Plans that were granted with it remain.
     */
    delete: operations['deletePromotionCode']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/tiers/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the tiers of compute instances
     * @description A tier is a size: a number of CPUs and an amount of memory.
     */
    get: operations['listComputeTiers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/compute_instances/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List the compute instances of a workspace
     * @description The newest comes first. Terminated instances are not listed.
     */
    get: operations['listComputeInstances']
    put?: never
    /**
     * Launch a compute instance
     * @description The caller needs the permission CREATE on the workspace. The answer comes before the instance runs.
     */
    post: operations['launchComputeInstance']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/compute_instances/launch_options/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get what a compute instance may be launched with
     * @description The answer lists the tiers and the limits of the plan, or says why nothing can be launched.
     */
    get: operations['getComputeLaunchOptions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/compute_allowance/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the compute time that a workspace has left in this month
     * @description The plan of the workspace applies, or that of its organization.
     */
    get: operations['getComputeAllowance']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get a compute instance
     * @description The instance must be in a workspace of the caller.
     */
    get: operations['getComputeInstance']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Rename a compute instance, or change when it is shut down
     * @description Omitted members keep their values.
     */
    patch: operations['updateComputeInstance']
    trace?: never
  }
  '/compute/instance/{id}/change-tier/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the tier of a compute instance
     * @description The instance must be stopped.
     */
    post: operations['changeComputeInstanceTier']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/connect/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get an address that opens the notebook of a compute instance
     * @description A browser can open the address once. Only the owner of the instance may get it, while the instance runs.
     */
    get: operations['connectComputeInstance']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/heartbeat/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get what was measured last in a compute instance
     * @description Both members are null before the first measurement.
     */
    get: operations['getComputeInstanceHeartbeat']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/events/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * List what happened to a compute instance
     * @description The newest comes first. At most 1000 events are listed at once.
     */
    get: operations['listComputeInstanceEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/start/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a stopped compute instance
     * @description The answer comes before the instance runs.
     */
    post: operations['startComputeInstance']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/stop/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Stop a compute instance
     * @description The files of the instance are kept.
     */
    post: operations['stopComputeInstance']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/terminate/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End a compute instance for good
     * @description The files of the instance are deleted later.
     */
    post: operations['terminateComputeInstance']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/compute/instance/{id}/usage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the billable compute time of a compute instance in a month
     * @description The month is in UTC. The answer is JSON or CSV.
     */
    get: operations['getComputeInstanceUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/compute_usage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the billable compute time of the compute instances of a workspace in a month
     * @description The month is in UTC. The answer is JSON or CSV.
     */
    get: operations['getWorkspaceComputeUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/compute_usage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the billable compute time of the compute instances of an organization in a month
     * @description The month is in UTC. The answer is JSON or CSV.
     */
    get: operations['getOrganizationComputeUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/verify_email/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm the e-mail address of an account
     * @description The `token` comes from an e-mail. Without a token, the request sends such an e-mail.
     */
    post: operations['verifyEmail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/activate/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Activate an account
     * @description Only staff may do this. Nobody can sign in to a deactivated account, but its data is kept.
     */
    post: operations['activateUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/deactivate/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deactivate an account
     * @description Only staff may do this. Nobody can sign in to a deactivated account, but its data is kept.
     */
    post: operations['deactivateUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/staff/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Grant or revoke the staff role
     * @description Only staff may do this.
     */
    post: operations['setStaffRole']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/user/{username}/export/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /**
     * Export the personal data of the caller
     * @description Published objects are listed by id.
     */
    get: operations['exportUser']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/password_reset/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Request an e-mail with a link to reset the password
     * @description The answer does not reveal whether there is an account.
     */
    post: operations['requestPasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/password_reset/confirm/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password with the token from an e-mail
     * @description The token works once.
     */
    post: operations['confirmPasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/metadata/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a metadata proxy
     * @description With it, a notebook page sends metadata to its kernel.
     */
    post: operations['createMetadataProxy']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/metadata/{token}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The token of the metadata proxy. */
        token: string
      }
      cookie?: never
    }
    /**
     * Get the metadata that was posted last
     * @description Only the creator of the metadata proxy may read it.
     */
    get: operations['getMetadataProxy']
    put?: never
    /**
     * Post metadata to a metadata proxy
     * @description Everybody who knows the token may post. The answer is null for others than the creator.
     */
    post: operations['postMetadata']
    /**
     * Delete a metadata proxy
     * @description Only its creator may delete it.
     */
    delete: operations['deleteMetadataProxy']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/settings/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the settings of the site
     * @description The answer includes limits of the installation.
     */
    get: operations['getSettings']
    /**
     * Update the settings of the site
     * @description Only staff may update them. Omitted members keep their values.
     */
    put: operations['replaceSettings']
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Update the settings of the site
     * @description Only staff may update them. Omitted members keep their values.
     */
    patch: operations['updateSettings']
    trace?: never
  }
  '/ssh_key/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the SSH keys of the caller
     * @description The oldest comes first.
     */
    get: operations['listSshKeys']
    put?: never
    /**
     * Store a private SSH key
     * @description The private key is never returned. The request needs a sign-in with a password.
     */
    post: operations['createSshKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ssh_key/{api_id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    /**
     * Get an SSH key of the caller
     * @description The answer has the public key only.
     */
    get: operations['getSshKey']
    put?: never
    post?: never
    /**
     * Delete an SSH key of the caller
     * @description The request needs a sign-in with a password.
     */
    delete: operations['deleteSshKey']
    options?: never
    head?: never
    /**
     * Rename an SSH key, or make it the default
     * @description Omitted members keep their values.
     */
    patch: operations['updateSshKey']
    trace?: never
  }
  '/comment/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List all comments on an object
     * @description The oldest comes first, so answers follow the comments that they answer.
     */
    get: operations['listComments']
    put?: never
    /**
     * Comment on an object
     * @description The caller must have access to the object; a shared link alone is not enough. Mentioned users (`@username`) with access get an e-mail.
     */
    post: operations['createComment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/comment/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    /**
     * Edit a comment
     * @description Only the author may edit it. The comment is then marked as edited.
     */
    put: operations['updateComment']
    post?: never
    /**
     * Delete a comment
     * @description Only the author may delete it. A comment with answers remains, without content (`is_deleted`).
     */
    delete: operations['deleteComment']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/comment/{id}/create_ai_response/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI answer a comment
     * @description The answer is an empty comment of the user `ai`, which a task fills. Who asked for it may delete it.
     */
    post: operations['createAiResponse']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask a language model about a figure revision
     * @description With `stream`, the answer is sent as server-sent events.
     */
    post: operations['askAboutFigure']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/check/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check whether AI can process a figure revision now
     * @description If it cannot, `messages` says why. The check counts for no limit.
     */
    post: operations['checkInsight']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/compare/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask a language model to compare two figure revisions
     * @description The plan of the workspace of the left revision counts. With `stream`, the answer is sent as server-sent events.
     */
    post: operations['compareFigures']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/text_only/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask a language model about a text
     * @description The plan of `workspace` counts; by default, that of the primary workspace. With `stream`, the answer is sent as server-sent events.
     */
    post: operations['askAboutText']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/figure_code/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Extract the code that made a figure
     * @description The answer has lines of the stored code, which a language model chooses. It is empty if there are none.
     */
    post: operations['extractFigureCode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/datasets/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * List the data that a figure reads and writes
     * @description `external_data` lists the tables and files of the revision and of linked asset revisions that the caller may view. A language model finds the inputs and outputs in the code.
     */
    post: operations['listFigureDatasets']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/code_edit/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let a language model change the code of a figure
     * @description The last message says what to change. Nothing is stored. `valid` and `error` tell whether the code can be parsed and imports only `available_packages`; `error` also tells which limit ended the work.
     */
    post: operations['editFigureCode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ai_usage/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the tokens that AI used for the caller in a month
     * @description The answer covers all workspaces. It is JSON or CSV.
     */
    get: operations['getAiUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/workspace/{id}/ai_usage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the tokens that AI used in a workspace in a month
     * @description Members who may manage the workspace may read this, and staff. The answer is JSON or CSV.
     */
    get: operations['getWorkspaceAiUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organization/{id}/ai_usage/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /**
     * Get the tokens that AI used in an organization in a month
     * @description Members who may manage the organization may read this, and staff. The answer is JSON or CSV.
     */
    get: operations['getOrganizationAiUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/slide/generate/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI write one slide of a story
     * @description Nothing is stored: the client saves the text. Slides of the type `figure` need `revision_id`. The caller needs the permission UPDATE on the story.
     */
    post: operations['writeSlide']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/slide/detail/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI write a slide with more or less detail
     * @description Nothing is stored: the client saves the text. The caller needs the permission UPDATE on the story.
     */
    post: operations['changeSlideDetail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/figure/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI write the slide about one figure of a story
     * @description Nothing is stored: the client saves the text. The caller needs the permission UPDATE on the story.
     */
    post: operations['writeFigureSlide']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/overviews/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI write the introduction of a story
     * @description The answer also has a sentence about each figure. Nothing is stored. The caller needs the permission UPDATE on the story.
     */
    post: operations['writeStoryOverviews']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/refine/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let AI improve the texts of a story
     * @description Nothing is stored. `slides` has the texts that would change, and `content` all of them in one text. The caller needs the permission UPDATE on the story.
     */
    post: operations['refineSlides']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/generate/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a task that lets AI write a story
     * @description It writes an introduction, one slide for each figure, and a conclusion. The task that writes the story now is cancelled. The caller needs the permission UPDATE on the story.
     */
    post: operations['generateStory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deep_insight/story/refine_async/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a task that lets AI improve the texts of a story
     * @description The task that writes the story now is cancelled. The caller needs the permission UPDATE on the story.
     */
    post: operations['refineStory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/search/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Search for objects
     * @description `keyword` and `text` find workspaces, analyses, figures, assets, stories and revisions by words, `semantic` figure revisions by meaning, and `image` by a picture. The best result comes first, and only objects that the caller may view are found.
     */
    post: operations['search']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/batch/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Read several paths with GET in one request
     * @description Each read is checked and counted like a request by itself. The responses have the order of the requests.
     */
    post: operations['readBatch']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reaction/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the reactions to a comment
     * @description The oldest comes first.
     */
    get: operations['listReactions']
    put?: never
    /**
     * React to a comment with an emoji
     * @description A repeated request gets the existing reaction, with the status 200.
     */
    post: operations['createReaction']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/reaction/{id}/': {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a reaction of the caller
     * @description Only its author may delete it.
     */
    delete: operations['deleteReaction']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description An account, as staff see it. */
    Account: {
      username: components['schemas']['username']
      /** @description The first name; may be empty. */
      first_name: string
      /** @description The last name; may be empty. */
      last_name: string
      email: components['schemas']['email']
      /** @description Whether the user has confirmed the e-mail address. */
      email_confirmed: boolean
      /**
       * @description Whether the user may sign in.
       * @enum {string}
       */
      state: 'active' | 'inactive'
      is_staff: components['schemas']['is_staff']
      /**
       * Format: date-time
       * @description When the account was created.
       */
      date_joined: string
      /**
       * Format: date-time
       * @description Sign-in with a password or the identity provider; null if none has been recorded.
       */
      last_sign_in: string | null
      /** @description The total size of the workspaces that the user owns. */
      storage_bytes: number
    }
    /** @description Whether a user may sign in, and is staff. */
    AccountState: {
      username: components['schemas']['username']
      /** @description Whether the user may sign in. */
      is_active: boolean
      is_staff: components['schemas']['is_staff']
    }
    /** @description An entry of an activity log. */
    Activity: components['schemas']['ActivityShallow'] & {
      /** @description The name of the object, or null. */
      target_name: string | null
      /** @description Whether the object is deleted now. */
      deleted: boolean
      /** @description The name or the type of a deleted object; else null. */
      deleted_sentinel: string | null
      thumbnail: components['schemas']['thumbnail']
      /**
       * Format: uuid
       * @description The id of the analysis of the object, or null.
       */
      analysis_id: string | null
      /** @description The name of that analysis, or null. */
      analysis_name: string | null
      /** @description What the change did, if the action alone does not say it. */
      note: string | null
    }
    /** @description An entry of an activity log, in full with `deep`. */
    ActivityItem: components['schemas']['ActivityShallow'] | components['schemas']['Activity']
    /** @description A page of a list. */
    ActivityItemPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['ActivityItem'][]
    }
    /** @description A page of an activity log. */
    ActivityPage: {
      /** @description The items of this page. */
      items: components['schemas']['Activity'][]
      /** @description Whether there are more items. */
      has_more: boolean
      /** @description How many items there are; an approximation if there are many. */
      total_count: number
      /** @description How many items this page has. */
      fetched_count: number
    }
    /** @description An entry of an activity log, without the present state of its target. */
    ActivityShallow: {
      api_id: components['schemas']['api_id']
      username: components['schemas']['username']
      /**
       * Format: date-time
       * @description When it was done.
       */
      timestamp: string
      /** @description What was done, for example `create`. */
      action: string
      target_id: components['schemas']['target_id']
      /** @description The type of the object. */
      target_type: string
    }
    /** @description The tokens that AI used in a month. */
    AiUsage: {
      /** @description A month in UTC, `YYYY-MM`. */
      period: string
      /** @description Of all items. */
      input_tokens: number
      /** @description Of all items. */
      output_tokens: number
      /** @description The items of this page. */
      items: components['schemas']['AiUsageItem'][]
    }
    /** @description The requests of one user with one model to one route, paid by one workspace in one month. */
    AiUsageItem: {
      /** @description A month in UTC, `YYYY-MM`. */
      period: string
      username: components['schemas']['username']
      workspace: components['schemas']['workspace']
      /** @description The language model, one of `ai_supported_models`. The default is that of the site. */
      model: string
      /** @description What the request was for. */
      route: string
      /** @description How many requests were made. */
      requests: number
      /** @description How many tokens were sent to the language model. */
      input_tokens: number
      /** @description How many tokens the language model wrote. */
      output_tokens: number
      /** @description The part of both that the provider of the model did not report. */
      estimated_tokens: number
    }
    /** @description An analysis. */
    Analysis: components['schemas']['AnalysisShallow'] & {
      thumbnail: components['schemas']['thumbnail']
      /** @description The figures, without their revisions. */
      figures: components['schemas']['FigureShallow'][]
      assets: components['schemas']['assets']
    }
    /** @description The members of a new analysis. */
    AnalysisCreate: components['schemas']['AnalysisUpdate'] & {
      created_on_behalf_name?: components['schemas']['created_on_behalf_name']
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description An analysis, without its content. */
    AnalysisShallow: components['schemas']['NamedObject'] & {
      /** @description Whether the object was imported. */
      is_imported: boolean
      /** @description Where the object was imported from, or null. */
      import_source: string | null
      import_source_asset: components['schemas']['import_source_asset']
      workspace: components['schemas']['workspace']
    }
    /** @description A page of a list. */
    AnalysisShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['AnalysisShallow'][]
    }
    /** @description The members of an analysis to change. */
    AnalysisUpdate: {
      description?: components['schemas']['description']
      workspace?: components['schemas']['workspace']
      name?: components['schemas']['name']
    }
    /** @description An API key. */
    ApiKey: {
      api_id: components['schemas']['api_id']
      /** @description The name of the key, unique for its owner, of at most 200 characters. */
      name: string
      /** @description The secret, for the header `Authorization: Token`; null except in the answer that creates the key. */
      token: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      created: string
      /**
       * Format: date-time
       * @description When the key was used last; null if it never was.
       */
      last_used: string | null
      expiry: components['schemas']['expiry']
      /**
       * Format: uuid
       * @description The id of the only workspace that the key can access; null for all.
       */
      workspace: string | null
      /**
       * @description What requests with the key may do: read, also publish, or all that the owner may.
       * @enum {string}
       */
      access: 'read' | 'publish' | 'full'
    }
    /** @description An API key with its token. */
    ApiKeyCreated: components['schemas']['ApiKey'] & {
      /** @description The secret, for the header `Authorization: Token`. It is not shown again. */
      token?: string
      /** @description The username of the owner. */
      user: string
    }
    /** @description A page of a list. */
    ApiKeyPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['ApiKey'][]
    }
    /** @description An asset. */
    Asset: components['schemas']['AssetShallow'] & {
      thumbnail: components['schemas']['thumbnail']
      /** @description The revisions, oldest first, without their data. */
      revisions: components['schemas']['AssetRevisionShallow'][]
    }
    /** @description The members of a new asset. */
    AssetCreate: components['schemas']['AssetUpdate'] & {
      created_on_behalf_name?: components['schemas']['created_on_behalf_name']
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description The link of a figure revision to an asset revision. */
    AssetLink: {
      figure_revision: components['schemas']['figure_revision']
      /**
       * Format: uuid
       * @description The id of the asset revision.
       */
      asset_revision: string
      /**
       * @description Whether the figure was made from the data directly. The default is `direct`.
       * @enum {string}
       */
      use_type: 'direct' | 'indirect'
    }
    /** @description A revision of an asset. */
    AssetRevision: components['schemas']['AssetRevisionShallow'] & {
      thumbnail: components['schemas']['thumbnail']
      metadata: components['schemas']['metadata']
      /** @description The data objects, without their bytes. */
      data: components['schemas']['DataObject'][]
      /** @description The links of figure revisions to this asset revision. */
      figure_revisions: components['schemas']['AssetLink'][]
    }
    /** @description The members of a new revision. */
    AssetRevisionCreate: {
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      client_id?: components['schemas']['client_id']
      short_id?: components['schemas']['short_id']
      description?: components['schemas']['description']
      data?: components['schemas']['data']
      /**
       * Format: uuid
       * @description The id of the asset.
       */
      asset: string
    }
    /** @description A revision of an asset, without its content. */
    AssetRevisionShallow: components['schemas']['CoreObject'] & {
      /**
       * Format: uuid
       * @description The id of the asset.
       */
      asset: string
      /** @description The number of the revision in its figure or asset, from 0. */
      revision_index: number
      /** @description The BLAKE3 hash of the data, in 64 hexadecimal digits; null while there is none. */
      data_hash: string | null
      /** @description Whether the data is still being processed. */
      is_processing: boolean
    }
    /** @description A page of a list. */
    AssetRevisionShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['AssetRevisionShallow'][]
    }
    /** @description The members of a revision to change. */
    AssetRevisionUpdate: {
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      description?: components['schemas']['description']
      /** @description The data objects, without their bytes. */
      data?:
        | (
            | (components['schemas']['NewDataObject'] | components['schemas']['UploadedDataObject'])
            | components['schemas']['KeptDataObject']
          )[]
        | null
    }
    /** @description An asset, without its revisions. */
    AssetShallow: components['schemas']['NamedObject'] & {
      workspace: components['schemas']['workspace']
      analysis: components['schemas']['analysis']
    }
    /** @description A page of a list. */
    AssetShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['AssetShallow'][]
    }
    /** @description The members of an asset to change. */
    AssetUpdate: {
      description?: components['schemas']['description']
      workspace?: components['schemas']['workspace']
      analysis?: components['schemas']['analysis']
      name?: components['schemas']['name']
    }
    /** @description The public members of a user. */
    Author: {
      username: components['schemas']['username']
      /** @description The first name; may be empty. */
      first_name: string
      /** @description The last name; may be empty. */
      last_name: string
      /** @description A PNG in base64; null if there is none. */
      avatar: string | null
      /** @description Whether the user signs in with an identity provider. */
      using_auth0: boolean
      /**
       * Format: date-time
       * @description When the account was created.
       */
      date_joined: string | null
    }
    /** @description The members of a new revision. */
    AutoAssignedRevisionCreate: {
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      client_id?: components['schemas']['client_id']
      short_id?: components['schemas']['short_id']
      description?: components['schemas']['description']
      data?: components['schemas']['data']
      /**
       * Format: uuid
       * @description The id of the analysis, or null.
       */
      analysis: string
      /** @description The assets, without their revisions. */
      assets?: components['schemas']['NewAssetLink'][]
    }
    /** @description Several reads. */
    Batch: {
      /** @description At most `BATCH_REQUESTS_MAX`, by default 100. */
      requests: components['schemas']['BatchRead'][]
    }
    /** @description A GET in a batch. */
    BatchRead: {
      /** @description Relative to this version, or beginning with `/api/`. */
      path: string
      /** @description `Accept` and `If-None-Match` only. */
      headers?: {
        [key: string]: string
      }
    }
    /** @description The response to a GET in a batch. */
    BatchResponse: {
      /** @description The HTTP status. */
      status: number
      /** @description By name in lower case. */
      headers: {
        [key: string]: string
      }
      /** @description The JSON of the response; null without a body. */
      body: unknown
    }
    /** @description The responses to a batch. */
    BatchResponses: {
      /** @description In the order of the requests. */
      responses: components['schemas']['BatchResponse'][]
    }
    /** @description A comment. */
    Comment: components['schemas']['OwnComment'] & {
      /** @description The user. */
      user: components['schemas']['Author']
    }
    /** @description A page of a list. */
    CommentPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Comment'][]
    }
    /** @description The compute time that is left in a month. */
    ComputeAllowance: {
      /** @description A month in UTC, `YYYY-MM`. */
      period: string
      /** @description How many seconds compute instances may run in a month; null for no limit. */
      monthly_compute_seconds: number | null
      /** @description How many seconds instances have run in this month. */
      used_seconds: number
      /** @description How many seconds are left in this month; null for no limit. */
      remaining_seconds: number | null
      compute_overages_enabled: components['schemas']['compute_overages_enabled']
      /** @description Whether no time is left. */
      is_exhausted: boolean
    }
    /** @description An address that opens a notebook once. */
    ComputeConnection: {
      /** @description The address to open in a browser. */
      redirect_url: string
      /** @description For how many seconds the address is valid. */
      expires_in_seconds: number
    }
    /** @description What was measured last in a compute instance. */
    ComputeHeartbeat: {
      /**
       * Format: date-time
       * @description When it was measured, or null.
       */
      heartbeat_at: string | null
      /** @description What was measured, or null. */
      heartbeat: {
        /** @description Whether the notebook server responds. */
        jupyter_up: boolean
        /** @description How many kernels there are. */
        active_kernel_count: number
        /** @description How many kernels are computing. */
        busy_kernel_count: number
        /** @description The use of the CPUs, in percent. */
        cpu_pct: number
        /** @description The use of the memory, in percent. */
        mem_pct: number
        /** @description The use of the volume, in percent. */
        disk_pct: number
      } | null
    }
    /** @description A compute instance. */
    ComputeInstance: components['schemas']['OwnComputeInstance'] & {
      /** @description Whether the caller may start, stop and change the instance. */
      can_operate: boolean
      /** @description Whether the caller may open the notebook now. */
      can_connect: boolean
      /** @description Whether the caller may terminate the instance. */
      can_terminate: boolean
    }
    /** @description What happened to a compute instance. */
    ComputeInstanceEvent: {
      /** @description The kind of the event. */
      kind: string
      lifecycle: components['schemas']['lifecycle']
      /** @description More about the event; may be empty. */
      detail: string
      /** @description The username of who did it; null for Figbase itself. */
      actor: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string
    }
    /** @description A page of a list. */
    ComputeInstanceEventPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['ComputeInstanceEvent'][]
    }
    /** @description A page of a list. */
    ComputeInstancePage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['ComputeInstance'][]
    }
    /** @description What a compute instance may be launched with. */
    ComputeLaunchOptions: {
      /** @description Whether the caller can launch an instance now. */
      can_launch: boolean
      /** @description The `error` of a launch, or null. */
      reason: string | null
      /** @description The `detail` of that error, or null. */
      reason_detail: string | null
      /** @description The tiers. */
      tiers: components['schemas']['ComputeTier'][]
      /** @description The tier of an instance whose launch names none. */
      default_tier: string
      /** @description The size of the volume, in GB, if the launch names none. */
      default_data_volume_gb: number
      /** @description How large the volume may be, in GB; null for no limit. */
      max_data_volume_gb: number | null
      /** @description How many instances may run at once; null for no limit. */
      max_running_instances: number | null
      /** @description How many instances run now. */
      running_instances: number
      /** @description Whether idle compute instances are always shut down. */
      idle_shutdown_required: boolean
      /** @description After how many seconds at most an idle instance is shut down; null for no limit. */
      max_idle_seconds: number | null
      /** @description After how many seconds an idle instance is shut down by default, or null. */
      default_idle_seconds: number | null
    }
    /** @description A size of compute instances. */
    ComputeTier: {
      /** @description The id of the object. */
      id: string
      /** @description The name of the tier. */
      label: string
      /** @description The number of CPUs. */
      vcpu: number
      /** @description The memory, in GB. */
      memory_gb: number
      /** @description A text for people, or null. The maximum length is a limit of the installation. */
      description: string
    }
    /** @description A page of a list. */
    ComputeTierPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['ComputeTier'][]
    }
    /** @description The time that compute instances ran in a month. */
    ComputeUsage: {
      /** @description A month in UTC, `YYYY-MM`. */
      period: string
      /** @description For how many seconds instances ran. */
      billable_seconds: number
      /** @description The size of the volume, in GB. */
      data_volume_gb: number
      /** @description The tiers. */
      tiers: {
        /** @description The id of the tier. */
        tier: string
        /** @description For how many seconds instances ran. */
        billable_seconds: number
      }[]
      /** @description The instances that ran. */
      instances: {
        api_id: components['schemas']['api_id']
        name: components['schemas']['name']
        /** @description The username of who launched the instance. */
        owner: string
        workspace: components['schemas']['workspace']
        /** @description The id of the tier. */
        tier: string
        /** @description For how many seconds instances ran. */
        billable_seconds: number
      }[]
    }
    /** @description The tokens that AI used in a workspace or an organization in a month. */
    ContainerAiUsage: components['schemas']['AiUsage'] & {
      /** @description Of the plan that applies now, in this month; null: unlimited. */
      quota: {
        /** @description How many tokens may be used in a month. */
        tokens_per_month: number
        /** @description How many tokens are left in this month. */
        tokens_left: number
        /**
         * Format: date-time
         * @description When the next month begins.
         */
        renews_on: string
      } | null
    }
    /** @description The members of every core object. */
    CoreObject: {
      api_id: components['schemas']['api_id']
      entity_type: components['schemas']['entity_type']
      /** @description The size in bytes of the decoded data, including that of everything below. */
      size_bytes: number
      /** @description The username of who created the object. */
      created_by: string
      created_on: components['schemas']['created_on']
      /** @description The username of who updated the object last; null if nobody has. */
      updated_by: string | null
      /**
       * Format: date-time
       * @description When the object was updated last; null if it never was.
       */
      updated_on: string | null
      /**
       * Format: date-time
       * @description When the object, or something below it, was created or updated last.
       */
      last_activity_on: string
      /** @description Whether staff created the object for somebody else. */
      created_on_behalf?: boolean
      /** @description The name of the person for whom staff created the object, or null. */
      created_on_behalf_name?: string | null
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description The number of activities of a day. */
    DailyContributions: {
      /**
       * Format: date
       * @description The day, in UTC.
       */
      date: string
      /** @description How many there are. */
      count: number
    }
    /** @description A page of a list. */
    DailyContributionsPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['DailyContributions'][]
    }
    /** @description A file of a revision. */
    DataObject: components['schemas']['CoreObject'] & {
      /**
       * @description The type of the object, for example `figure`.
       * @constant
       */
      entity_type?: 'external_data'
      /** @description The name of the file or table, or null. */
      name: string | null
      type: components['schemas']['type']
      metadata: components['schemas']['metadata']
      /** @description The bytes in base64; null if they are left out. */
      data: string | null
      /** @description The BLAKE3 hash of the bytes, in 64 hexadecimal digits. */
      hash: string
      is_clean_room: components['schemas']['is_clean_room']
      /** @description Why the bytes could not be processed, or null. */
      processing_error: string | null
    }
    /** @description Data that code reads or writes. */
    Dataset: {
      /** @description The name of the data. */
      name: string
      /** @description What the data is. */
      description: string
      /** @description The kind of the data. */
      type: string
    }
    /** @description A deleted object that can be restored. */
    Deletion: {
      api_id: components['schemas']['api_id']
      entity_type: components['schemas']['entity_type']
      /** @description The name. The maximum length is 500 characters by default. */
      name: string | null
      /** @description The username of who deleted the object. */
      deleted_by: string
      /**
       * Format: date-time
       * @description When the object was deleted.
       */
      deleted_on: string
      /**
       * Format: date-time
       * @description Until when the object can be restored.
       */
      restorable_until: string
    }
    /** @description A page of a list. */
    DeletionPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Deletion'][]
    }
    /** @description A problem with a member of the body, or with a parameter. */
    FieldProblem: {
      /** @description The path of the member, for example `data[2].type`; empty for the body as a whole. */
      field: string
      /** @description What is wrong with it. */
      problem: string
    }
    /** @description A figure. */
    Figure: components['schemas']['FigureShallow'] & {
      thumbnail: components['schemas']['thumbnail']
      /** @description The revisions, oldest first, without their data. */
      revisions: components['schemas']['RevisionShallow'][]
    }
    /** @description The members of a new figure. */
    FigureCreate: components['schemas']['FigureUpdate'] & {
      /**
       * Format: uuid
       * @description The id of the analysis, or null.
       */
      analysis: string
      created_on_behalf_name?: components['schemas']['created_on_behalf_name']
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description A figure revision. */
    FigureRevisionReference: {
      figure_revision: components['schemas']['figure_revision']
    }
    /** @description A figure, without its revisions. */
    FigureShallow: components['schemas']['NamedObject'] & {
      /** @description Whether the object was imported. */
      is_imported: boolean
      /** @description Where the object was imported from, or null. */
      import_source: string | null
      import_source_asset: components['schemas']['import_source_asset']
      /**
       * Format: uuid
       * @description The id of the analysis, or null.
       */
      analysis: string
      /** @description Whether a task is looking for the figure to which the revision belongs. */
      auto_assign_pending: boolean
    }
    /** @description A page of a list. */
    FigureShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['FigureShallow'][]
    }
    /** @description The text of a slide about a figure. */
    FigureSlideText: {
      /** @description Markdown; show it as untrusted. */
      content: string
      /** @description Markdown; show it as untrusted. */
      methods: string
      /** @description What the code reads. */
      inputs: string[]
      /** @description What the code writes. */
      outputs: string[]
      omissions: components['schemas']['omissions']
    }
    /** @description The members of a figure to change. */
    FigureUpdate: {
      description?: components['schemas']['description']
      analysis?: components['schemas']['analysis']
      name?: components['schemas']['name']
    }
    /** @description A revision of an asset, with its data objects. */
    FoundAssetRevision: components['schemas']['AssetRevisionShallow'] & {
      /** @description The data objects, without their bytes. */
      data: components['schemas']['DataObject'][]
    }
    /** @description A membership of a user, or an object shared with them. */
    Grant: {
      api_id: components['schemas']['api_id']
      entity_type: components['schemas']['entity_type']
      /** @description The name. The maximum length is 500 characters by default. */
      name: string | null
      /** @description Whether the object is shared with the user, in place of a membership. */
      is_share: boolean
      membership_type: components['schemas']['membership_type']
      /** @description The username of who granted it. */
      granted_by: string
      /**
       * Format: date-time
       * @description When it was granted.
       */
      granted_on: string
    }
    /** @description The answer of a language model. */
    InsightAnswer: {
      /** @description The answer, as Markdown. Show it as untrusted. */
      response: string
      /** @description The language model, one of `ai_supported_models`. The default is that of the site. */
      model: string
      /** @description Whether the answer to an earlier equal request was used. */
      is_cached: boolean
      omissions: components['schemas']['omissions']
    }
    /** @description An event of a streamed answer of a language model. */
    InsightEvent:
      | {
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'delta'
          /** @description The next part of the answer. */
          data: {
            /** @description The text. */
            text: string
          }
        }
      | {
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'usage'
          /** @description The next part of the answer. */
          data: {
            /** @description How many tokens were sent to the language model. */
            input_tokens: number
            /** @description How many tokens the language model wrote. */
            output_tokens: number
            /** @description Whether the numbers are an estimate, because the provider did not report them. */
            is_estimate: boolean
          }
        }
      | {
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'done'
          /** @description The next part of the answer. */
          data: components['schemas']['InsightAnswer']
        }
      | {
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'error'
          /** @description The next part of the answer. */
          data: components['schemas']['Problem']
        }
    /** @description An invitation to a workspace or an organization. */
    Invitation: {
      api_id: components['schemas']['api_id']
      email: components['schemas']['email']
      /** @description The username of who created it. */
      initiator: string
      /** @description The secret that accepts the invitation; null except in the answer that creates it. */
      token: string | null
      /**
       * @description Whether somebody has accepted the invitation.
       * @enum {string}
       */
      status: 'pending' | 'accepted'
      /**
       * Format: date-time
       * @description When it was created.
       */
      created: string
      /**
       * Format: date-time
       * @description Until when it is valid; null for no end.
       */
      expiry: string
      /**
       * @description The role of the member; null if the user is not a member.
       * @enum {string}
       */
      membership_type:
        | 'owner'
        | 'admin'
        | 'creator'
        | 'viewer'
        | 'org_admin'
        | 'workspace_admin'
        | 'workspace_creator'
        | 'workspace_viewer'
      workspace?: components['schemas']['workspace']
      /**
       * Format: uuid
       * @description The id of the organization; null for a workspace without one.
       */
      organization?: string
    }
    /** @description A page of a list. */
    InvitationPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Invitation'][]
    }
    /** @description A data object of the revision, which is kept. */
    KeptDataObject: {
      /**
       * Format: uuid
       * @description The id of a data object of the revision, which is kept.
       */
      api_id: string
    }
    /** @description The share of an object by link. */
    LinkShare: {
      /** @description Whether the object is shared by link. */
      enabled: boolean
    }
    /** @description A new entry of an activity log. */
    LiveActivity: components['schemas']['ActivityShallow'] & {
      /** @description The name of the object, or null. */
      target_name: string | null
      workspace: components['schemas']['workspace']
      analysis: components['schemas']['analysis']
      /**
       * Format: uuid
       * @description The id of the figure.
       */
      figure: string | null
    }
    /** @description What happened to a compute instance. */
    LiveComputeInstanceEvent: components['schemas']['ComputeInstanceEvent'] & {
      api_id: components['schemas']['api_id']
      name: components['schemas']['name']
      workspace: components['schemas']['workspace']
    }
    /** @description An event of `events/`; its `id` resumes the stream after it. */
    LiveEvent:
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'begun'
          /** @description What happened. */
          data: {
            /** @description Whether events were missed since the last connection. */
            has_gap: boolean
          }
        }
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'task'
          /** @description What happened. */
          data: components['schemas']['TaskShallow']
        }
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'activity'
          /** @description What happened. */
          data: components['schemas']['LiveActivity']
        }
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'revision'
          /** @description What happened. */
          data: {
            api_id: components['schemas']['api_id']
            /**
             * Format: uuid
             * @description The id of the figure.
             */
            figure?: string
            /**
             * Format: uuid
             * @description The id of the asset.
             */
            asset?: string
            /**
             * @description Whether the data is still being processed.
             * @constant
             */
            is_processing: false
          }
        }
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'comment'
          /** @description What happened. */
          data: {
            username: components['schemas']['username']
            /**
             * Format: date-time
             * @description When it was done.
             */
            timestamp: string
            /** @description What was done, for example `create`. */
            action: string
            /**
             * Format: uuid
             * @description The id of the event or of the object.
             */
            id: string
            parent_comment_id: components['schemas']['parent_comment_id']
            /** @description The type of the object. */
            target_type: string
            target_id: components['schemas']['target_id']
            workspace: components['schemas']['workspace']
          }
        }
      | {
          id: components['schemas']['id']
          /**
           * @description The name of the event.
           * @constant
           */
          event: 'compute_instance'
          /** @description What happened. */
          data: components['schemas']['LiveComputeInstanceEvent']
        }
    /** @description A member of a workspace or an organization. */
    Member: {
      username: components['schemas']['username']
      membership_type: components['schemas']['membership_type']
    }
    /** @description A page of a list. */
    MemberPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Member'][]
    }
    /** @description A message for people. */
    Message: {
      /** @description A message for people. */
      detail: string
    }
    /** @description A mailbox, with which a notebook page sends metadata to its kernel. */
    MetadataProxy: {
      api_id: components['schemas']['api_id']
      /** @description The username of who created it. */
      initiator: string
      /** @description The secret by which routes address the metadata proxy. */
      token: string
      /**
       * Format: date-time
       * @description When it was created.
       */
      created: string
      /**
       * Format: date-time
       * @description Until when it is valid; null for no end.
       */
      expiry: string
      /**
       * Format: date-time
       * @description When metadata was posted last, or null.
       */
      updated: string | null
      /** @description The JSON that was posted last, or null. */
      metadata: unknown
    }
    /** @description The members of every container. */
    NamedObject: components['schemas']['CoreObject'] & {
      /** @description The username of who changed something below the object last, or null. */
      child_updated_by: string | null
      /**
       * Format: date-time
       * @description When something below the object was changed last, or null.
       */
      child_updated_on: string | null
      name: components['schemas']['name']
      description: components['schemas']['description']
    }
    /** @description A link of the revision to an asset revision. */
    NewAssetLink: {
      /**
       * Format: uuid
       * @description The id of the asset revision.
       */
      asset_revision: string
      /** @description Whether the figure was made from the data directly. The default is `direct`. */
      use_type?: ('direct' | 'indirect') | null
    }
    /** @description A data object whose bytes are in the body. */
    NewDataObject: {
      /** @description The name of the file or table. */
      name?: string | null
      type: components['schemas']['type']
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      /** @description The bytes in base64. */
      data: string
    }
    /** @description A user who has just signed up. */
    NewUser: components['schemas']['User'] & {
      /** @description The tokens of the new user. */
      auth: components['schemas']['Tokens']
    }
    /** @description The type and the id of an object. */
    ObjectReference: {
      entity_type: components['schemas']['entity_type']
      api_id: components['schemas']['api_id']
    }
    /** @description An organization. */
    Organization: components['schemas']['OrganizationShallow'] & {
      /** @description The workspaces, without their content. */
      workspaces: components['schemas']['WorkspaceShallow'][]
    }
    /** @description The members of a new organization. */
    OrganizationCreate: components['schemas']['OrganizationUpdate'] & {
      created_on_behalf_name?: components['schemas']['created_on_behalf_name']
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description A member and their role. */
    OrganizationMemberUpdate: {
      username: components['schemas']['username']
      /**
       * @description The role of the member; null if the user is not a member.
       * @enum {string}
       */
      membership_type: 'org_admin' | 'workspace_admin' | 'workspace_creator' | 'workspace_viewer'
    }
    /** @description An organization, without its workspaces. */
    OrganizationShallow: components['schemas']['NamedObject'] & {
      logo: components['schemas']['logo']
      /** @description Whether members may share objects of the organization by link. */
      allow_link_sharing: boolean
      /** @description Whether workspaces of the organization may have their own storage. */
      allow_per_workspace_storage_settings: boolean
    }
    /** @description A page of a list. */
    OrganizationShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['OrganizationShallow'][]
    }
    /** @description The members of an organization to change. */
    OrganizationUpdate: {
      description?: components['schemas']['description']
      logo?: components['schemas']['logo']
      /** @description Whether members may share objects of the organization by link. */
      allow_link_sharing?: boolean | null
      /** @description Whether workspaces of the organization may have their own storage. */
      allow_per_workspace_storage_settings?: boolean | null
      name?: components['schemas']['name']
    }
    /** @description The text of a slide about the story. */
    OverviewSlideText: {
      /** @description Markdown; show it as untrusted. */
      content: string
      /** @description A sentence about each figure. */
      figure_descriptions: components['schemas']['RevisionText'][]
      /** @description How each figure was made. */
      figure_methods: components['schemas']['RevisionText'][]
      omissions: components['schemas']['omissions']
    }
    /** @description Something that the caller did. */
    OwnActivity: {
      api_id: components['schemas']['api_id']
      /**
       * Format: date-time
       * @description When it was done.
       */
      timestamp: string
      /** @description What was done, for example `create`. */
      action: string
      target_id: components['schemas']['target_id']
      /** @description The type of the object. */
      target_type: string
      /** @description The name of the object, or null. */
      target_name: string | null
    }
    /** @description A comment of the caller. */
    OwnComment: {
      /**
       * Format: uuid
       * @description The id of the object.
       */
      id: string
      content: components['schemas']['content']
      parent_comment_id: components['schemas']['parent_comment_id']
      /** @description The type of the object. */
      target_type: string
      target_id: components['schemas']['target_id']
      /** @description Whether the comment was edited. */
      is_edited: boolean
      /** @description Whether the comment was deleted; it is shown without content if it has answers. */
      is_deleted: boolean
      created_on: components['schemas']['created_on']
      /**
       * Format: date-time
       * @description When the object was updated last; null if it never was.
       */
      updated_on: string
    }
    /** @description A compute instance of the caller. */
    OwnComputeInstance: {
      api_id: components['schemas']['api_id']
      name: components['schemas']['name']
      /** @description The id of the tier. */
      tier: string
      workspace: components['schemas']['workspace']
      /** @description The username of who launched the instance. */
      owner: string
      /** @description The state, in words for people. */
      user_facing_status: string
      lifecycle: components['schemas']['lifecycle']
      /**
       * @description Whether the notebook server responds.
       * @enum {string}
       */
      health: 'unknown' | 'healthy' | 'unhealthy'
      /** @description More about the state; may be empty. */
      status_detail: string
      /**
       * Format: date-time
       * @description When the instance was used last, or null.
       */
      last_activity_at: string | null
      /**
       * Format: date-time
       * @description Since when the instance runs; null if it does not.
       */
      running_since: string | null
      /** @description Whether the instance is shut down when it is idle. */
      idle_shutdown_enabled: boolean
      /** @description After how many seconds without use the instance is shut down. */
      idle_shutdown_seconds: number
      /** @description For how many seconds the instance has been idle; null if it does not run. */
      idle_seconds: number | null
      /** @description The size of the volume, in GB. */
      data_volume_gb: number
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string
      /**
       * Format: date-time
       * @description When it was updated last.
       */
      updated_at: string
    }
    /** @description A reaction of the caller. */
    OwnReaction: {
      /**
       * Format: uuid
       * @description The id of the object.
       */
      id: string
      /**
       * Format: uuid
       * @description The id of the comment.
       */
      comment_id: string
      /** @description One emoji, of at most 64 characters. */
      emoji: string
      created_on: components['schemas']['created_on']
    }
    /** @description A slide that the caller saved. */
    OwnSlide: {
      slide_id: components['schemas']['slide_id']
      slide_type: components['schemas']['slide_type']
      /** @description The place of the slide, from 0. */
      position: number
      content: components['schemas']['content']
      revision_id: components['schemas']['revision_id']
      /** @description JSON of the client. On figure slides, Figbase owns `methods`, `data` and `availability`. */
      slide_data: {
        [key: string]: unknown
      }
    }
    /** @description What the caller saved of a story. */
    OwnStory: components['schemas']['StoryVersion'] & {
      api_id: components['schemas']['api_id']
      name: components['schemas']['name']
      description: components['schemas']['description']
      /** @description The ids of the figure revisions, in the order of the author. */
      revisions: string[]
      /** @description The slides, in their order. */
      slides: components['schemas']['OwnSlide'][]
    }
    /** @description A page of a list. */
    Page: {
      /** @description The items of this page. */
      items: unknown[]
      /** @description The `cursor` of the next page; null at the end. */
      next: string | null
    }
    /** @description A new password. */
    PasswordReset: {
      /** @description The secret. */
      token: string
      /** @description The password. */
      password: string
    }
    /** @description Whose password to reset. */
    PasswordResetRequest: {
      email: components['schemas']['email']
    }
    /** @description A plan. A limit of null means unlimited. */
    Plan: components['schemas']['PlanUpdate'] & {
      api_id: components['schemas']['api_id']
    }
    /** @description The members of a new plan. */
    PlanCreate: components['schemas']['PlanUpdate'] & Record<string, never>
    /** @description A page of a list. */
    PlanPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Plan'][]
    }
    /** @description The members of a plan to change. */
    PlanUpdate: {
      name?: components['schemas']['name']
      /** @description A text for people, or null. The maximum length is a limit of the installation. */
      description?: string
      /** @description The price of a month, in the currency of the installation. */
      monthly_cost?: number
      /** @description The price of a year, in the currency of the installation. */
      annual_cost?: number
      /** @description How many bytes may be stored; null for no limit. */
      max_storage_bytes?: number | null
      /** @description How many members there may be; null for no limit. */
      max_users?: number | null
      /** @description Whether the plan allows a storage of its own. */
      allow_flexible_storage?: boolean
      /** @description How many tokens AI may use in a month; null for no limit. */
      monthly_token_quota?: number | null
      /** @description How many requests for AI a user may make in a minute; null for no limit. */
      deep_insight_rate?: number | null
      /** @description Whether compute instances can be launched. */
      compute_enabled?: boolean
      /** @description How many compute instances may run at once; null for no limit. */
      compute_max_running_instances?: number | null
      /** @description Whether idle compute instances are always shut down. */
      idle_shutdown_required?: boolean
      /** @description After how many seconds at most an idle instance is shut down; null for no limit. */
      max_idle_seconds?: number | null
      /** @description After how many seconds an idle instance is shut down by default, or null. */
      default_idle_seconds?: number | null
      /** @description How large the volume of an instance may be, in GB; null for no limit. */
      effective_max_data_volume_gb?: number | null
      /** @description How many seconds compute instances may run in a month; null for no limit. */
      monthly_compute_seconds?: number | null
      /** @description Whether managers may choose the plan themselves. */
      is_self_service?: boolean
      /** @description Whether the plan applies if no other was chosen. */
      is_default?: boolean
    }
    /** @description The body of every error. */
    Problem: {
      /** @description The name of the error, for programs. */
      error: string
      /** @description A message for people. */
      detail?: string
      /** @description Each invalid member; at most 20. */
      errors?: components['schemas']['FieldProblem'][]
      /** @description The same as `error`, with each 401. It is `token_not_valid` only for a JWT that is expired or invalid. */
      code?: string
      /**
       * @description Set if the organization has to be changed instead.
       * @constant
       */
      managed_by_organization?: true
    }
    /** @description A promotion code. */
    PromotionCode: {
      /** @description The promotion code. */
      promotion_code: string
      plan: components['schemas']['plan']
      created_on: components['schemas']['created_on']
      expiry: components['schemas']['expiry']
      /** @description How often the code may be used; null for no limit. */
      uses_max: number | null
      /** @description How often the code was used. */
      uses: number
    }
    /** @description A page of a list. */
    PromotionCodePage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['PromotionCode'][]
    }
    /** @description A reaction to a comment. */
    Reaction: components['schemas']['OwnReaction'] & {
      /** @description The user. */
      user: components['schemas']['Author']
    }
    /** @description A page of a list. */
    ReactionPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Reaction'][]
    }
    /** @description A refresh token. */
    RefreshToken: {
      /** @description A token that gets new access tokens. */
      refresh: string
    }
    /** @description A member to remove. */
    RemovedMember: {
      username: components['schemas']['username']
    }
    /** @description A revision of a figure. */
    Revision: components['schemas']['RevisionShallow'] & {
      thumbnail: components['schemas']['thumbnail']
      metadata: components['schemas']['metadata']
      /** @description The data objects, without their bytes. */
      data: components['schemas']['DataObject'][]
      /** @description The assets, without their revisions. */
      assets: components['schemas']['AssetLink'][]
      /** @description The figure of the revision. */
      figure_metadata: {
        api_id: components['schemas']['api_id']
        name: components['schemas']['name']
        description: components['schemas']['description']
        analysis: components['schemas']['analysis']
      }
    }
    /** @description The members of a new revision. */
    RevisionCreate: {
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      client_id?: components['schemas']['client_id']
      short_id?: components['schemas']['short_id']
      description?: components['schemas']['description']
      data?: components['schemas']['data']
      /**
       * Format: uuid
       * @description The id of the figure.
       */
      figure: string
      /** @description The assets, without their revisions. */
      assets?: components['schemas']['NewAssetLink'][]
    }
    /** @description A revision of a figure, without its content. */
    RevisionShallow: components['schemas']['CoreObject'] & {
      /** @description Whether the object was imported. */
      is_imported: boolean
      /** @description Where the object was imported from, or null. */
      import_source: string | null
      import_source_asset: components['schemas']['import_source_asset']
      /**
       * Format: uuid
       * @description The id of the figure.
       */
      figure: string
      /** @description The number of the revision in its figure or asset, from 0. */
      revision_index: number
      short_id: components['schemas']['short_id']
      /** @description A hash of the image, which similar images share; null while there is none. */
      image_hash: string | null
      /** @description Whether the data is still being processed. */
      is_processing: boolean
      is_clean_room: components['schemas']['is_clean_room']
      description: components['schemas']['description']
      /**
       * Format: date-time
       * @description When the description was written, or null.
       */
      description_timestamp: string | null
      /** @description The username of who wrote the description, `ai` for a language model, or null. */
      description_author: string | null
    }
    /** @description A page of a list. */
    RevisionShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['RevisionShallow'][]
    }
    /** @description A text about a figure revision. */
    RevisionText: {
      /**
       * Format: uuid
       * @description The id of the figure revision of the slide, or null.
       */
      revision_id: string
      content: components['schemas']['content']
    }
    /** @description The members of a revision to change. */
    RevisionUpdate: components['schemas']['AssetRevisionUpdate'] & {
      /** @description The assets, without their revisions. */
      assets?: components['schemas']['NewAssetLink'][] | null
    }
    /** @description An object that was found. */
    SearchResult: {
      /** @description How well the object matches, from 0 to 1. */
      score: number
      /** @description The object, without its content. */
      object:
        | components['schemas']['WorkspaceShallow']
        | components['schemas']['AnalysisShallow']
        | components['schemas']['FigureShallow']
        | components['schemas']['RevisionShallow']
        | components['schemas']['AssetShallow']
        | components['schemas']['AssetRevisionShallow']
        | components['schemas']['StoryShallow']
      /** @description Snippets of HTML by field; empty unless the search is for keywords. */
      highlight: {
        [key: string]: string[]
      }
    }
    /** @description A session of a user. */
    Session: {
      /** @description The id of the object. */
      id: string
      /**
       * @description `token`: a refresh token of a client; `browser`: the HTML pages.
       * @enum {string}
       */
      kind: 'token' | 'browser'
      /** @description The program that signed in, as it describes itself. */
      user_agent: string
      /** @description The network address of the sign-in. */
      address: string
      created_on: components['schemas']['created_on']
      /**
       * Format: date-time
       * @description May lag by up to an hour.
       */
      last_used_on: string
      /**
       * Format: date-time
       * @description When the session ends.
       */
      expires_on: string
    }
    /** @description A page of a list. */
    SessionPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Session'][]
    }
    /** @description The settings of the site, and limits of the installation. */
    Settings: components['schemas']['SettingsUpdate'] & {
      /** @description The language models that requests may name. */
      ai_supported_models: string[]
      /** @description Whether this installation runs compute instances. */
      compute_enabled: boolean
      /** @description The maximum size of an ordinary body, in bytes. */
      json_body_bytes_max: number
      /** @description The maximum size of a body with data, in bytes. */
      upload_body_bytes_max: number
      /** @description The maximum decoded size of one revision, in bytes. */
      upload_bytes_max: number
      /** @description The maximum number of data objects in a body. */
      upload_objects_max: number
      /** @description The maximum size of the metadata of a metadata proxy, in bytes. */
      metadata_bytes_max: number
      /** @description The maximum number of API keys of a user. */
      api_keys_max: number
    }
    /** @description The settings to change. */
    SettingsUpdate: {
      /** @description The name of the site, of at most 100 characters. */
      site_name?: string
      /** @description A text that each page shows, of at most 2000 characters; empty for none. */
      announcement?: string
      /** @description Whether everybody may create an account. */
      sign_up_enabled?: boolean
      /** @description Whether objects may be shared by link. */
      link_sharing_enabled?: boolean
      /** @description Whether AI can be used. */
      ai_enabled?: boolean
      /** @description The language model that is used if a request names none; null for the first one. */
      ai_model?: string | null
    }
    /** @description The credentials of a user. */
    SignIn: {
      username: components['schemas']['username']
      /** @description The password. */
      password: string
      /** @description Whether the refresh token lives longer. */
      remember_me?: (boolean | ('0' | '1' | 'true' | 'false' | 'on')) | null
    }
    /** @description The size of an object. */
    Size: {
      /** @description The size in bytes of the decoded data, including that of everything below. */
      size_bytes: number
    }
    /** @description A slide of a story. */
    Slide: components['schemas']['OwnSlide'] & {
      /** @description Whether the caller may view the revision: `visible` by permission, `opened` by the story, `hidden`, or `deleted`. */
      revision_state: ('visible' | 'opened' | 'hidden' | 'deleted') | null
    }
    /** @description A slide to save. */
    SlideUpdate: {
      /** @description The id of the slide in its story; generated if it is omitted. */
      slide_id?: string | null
      slide_type: components['schemas']['slide_type']
      /** @description The place of the slide, from 0. */
      position?: number | null
      /** @description Markdown. Show it as untrusted. */
      content?: string | null
      revision_id?: components['schemas']['revision_id']
      /** @description JSON of the client. On figure slides, Figbase owns `methods`, `data` and `availability`. */
      slide_data?: {
        [key: string]: unknown
      } | null
    }
    /** @description An SSH key, without its private key. */
    SshKey: {
      api_id: components['schemas']['api_id']
      name: components['schemas']['name']
      /** @description The hash of the public key, with the prefix `SHA256:`. */
      fingerprint: string
      /** @description Whether it is used if none is named. */
      is_default: boolean
      created_on: components['schemas']['created_on']
      /** @description The public key, in the format of OpenSSH. */
      public_key: string
    }
    /** @description A page of a list. */
    SshKeyPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['SshKey'][]
    }
    /** @description Where data is stored. */
    Storage: {
      /** @description The kind of storage: `default`, `s3` or `aws`. */
      vendor: string
      /** @description The settings of the vendor; secrets are not shown. */
      params: unknown
    }
    /** @description Where to store data. */
    StorageUpdate: {
      /** @description The kind of storage: `default`, `s3` or `aws`. */
      vendor: string
      /** @description The settings of the vendor; secrets are not shown. */
      params?: unknown
    }
    /** @description A story. */
    Story: components['schemas']['StoryShallow'] & {
      revisions: components['schemas']['revisions']
      /** @description The slides, in their order. */
      slides: components['schemas']['Slide'][]
      /** @description `generating` or `refining` while AI writes the story; else null. */
      generation_status: string | null
      /** @description Whether readers of the story may view all its revisions. */
      revisions_visible_to_readers: boolean
    }
    /** @description A story. */
    StoryReference: {
      /**
       * Format: uuid
       * @description The id of the story.
       */
      story_id: string
    }
    /** @description A story, without its content. */
    StoryShallow: components['schemas']['CoreObject'] & {
      name: components['schemas']['name']
      description: components['schemas']['description']
      workspace: components['schemas']['workspace']
    }
    /** @description A page of a list. */
    StoryShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['StoryShallow'][]
    }
    /** @description The members of a story to change. */
    StoryUpdate: {
      /** @description The name. The maximum length is 500 characters by default. */
      name?: string | null
      description?: components['schemas']['description']
      /**
       * Format: uuid
       * @description The id of the workspace.
       */
      workspace?: string | null
      /** @description The figure revisions, in the order of the author. They replace all. */
      revisions?:
        | (
            | string
            | {
                api_id: components['schemas']['api_id']
              }
          )[]
        | null
      /** @description The slides, in their order. */
      slides?: components['schemas']['SlideUpdate'][] | null
      /** @description Whether readers of the story may view all its revisions. */
      revisions_visible_to_readers?: boolean | null
    }
    /** @description A saved version of a story, without its content. */
    StoryVersion: {
      /** @description The number of the version, from 1. */
      version: number
      /** @description The username of who saved the version. */
      saved_by: string
      /**
       * Format: date-time
       * @description When the version was saved.
       */
      saved_on: string
    }
    /** @description A saved version of a story. */
    StoryVersionFull: components['schemas']['StoryVersion'] & {
      name: components['schemas']['name']
      description: components['schemas']['description']
      revisions: components['schemas']['revisions']
      /** @description The slides, in their order. */
      slides: components['schemas']['Slide'][]
    }
    /** @description A page of a list. */
    StoryVersionPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['StoryVersion'][]
    }
    /** @description The plan of a workspace or an organization, and its usage. */
    Subscription: {
      /** @description The plan, or its id. */
      plan: components['schemas']['Plan']
      compute_overages_enabled: components['schemas']['compute_overages_enabled']
      /** @description Whether the plan is that of the organization. */
      managed_by_organization: boolean
      /**
       * Format: uuid
       * @description The id of the organization whose plan applies, or null.
       */
      organization: string | null
      /** @description How many bytes are stored. */
      used_storage_bytes: number
      /** @description How many members there are. */
      used_users: number
      /**
       * Format: date-time
       * @description When the plan was changed last, or null.
       */
      changed_on: string | null
    }
    /** @description The plan to change to. */
    SubscriptionChange: {
      plan: components['schemas']['plan']
      compute_overages_enabled?: components['schemas']['compute_overages_enabled']
    }
    /** @description The plan to change to. */
    SubscriptionUpdate: {
      plan?: components['schemas']['plan']
      compute_overages_enabled?: components['schemas']['compute_overages_enabled']
    }
    /** @description A task in the background. */
    Task: components['schemas']['TaskShallow'] & {
      /** @description JSON about the task, or null. */
      task_detail: unknown
      /** @description The result of the task, or null. */
      result: unknown
    }
    /** @description A line that a task has logged. */
    TaskLogLine: {
      /**
       * Format: date-time
       * @description When the line was logged.
       */
      at: string
      /** @description The line. */
      line: string
    }
    /** @description A page of a list. */
    TaskPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['Task'][]
    }
    /** @description A task that was started. */
    TaskReference: {
      /**
       * Format: uuid
       * @description The id of the task.
       */
      task_id: string
    }
    /** @description A task in the background, without its result. */
    TaskShallow: {
      /**
       * Format: uuid
       * @description The id of the task.
       */
      task_id: string
      /** @description What the task does, in words for people. */
      task_name: string
      /** @description The kind of the task. */
      task_type: string
      /**
       * @description The state of the task.
       * @enum {string}
       */
      status: 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE' | 'REVOKED'
      /** @description How much of the task is done, in percent. */
      progress: number
      /** @description What the task is doing, or null. */
      status_message: string | null
      /** @description Why the task failed, or null. */
      error: string | null
      created_on: components['schemas']['created_on']
      /**
       * Format: date-time
       * @description When the task was started, or null.
       */
      started_on: string | null
      /**
       * Format: date-time
       * @description When the task ended, or null.
       */
      completed_on: string | null
    }
    /** @description A thumbnail. */
    Thumbnail: {
      /**
       * @description The format.
       * @constant
       */
      format: 'png'
      thumbnail: components['schemas']['thumbnail']
      /** @description Why there is no thumbnail yet. */
      detail?: string
    }
    /** @description The refresh tokens to revoke. */
    TokenRevocation: {
      /** @description A token that gets new access tokens. */
      refresh: string
      /** @description Whether to revoke all refresh tokens of the user. */
      all?: (boolean | ('true' | 'false')) | null
    }
    /** @description The tokens of a sign-in. */
    Tokens: {
      /** @description A token for the header `Authorization: Bearer`. */
      access: string
      /** @description A token that gets new access tokens. */
      refresh: string
    }
    /** @description A figure revision of a story. */
    ToldRevision: components['schemas']['RevisionShallow'] & {
      /**
       * @description Whether the caller may view the revision: `visible` by permission, `opened` by the story, `hidden`, or `deleted`.
       * @enum {string}
       */
      revision_state: 'visible' | 'opened'
    }
    /** @description A figure revision of a story, of which the caller may know no more now. */
    ToldRevisionReference: {
      api_id: components['schemas']['api_id']
      entity_type: components['schemas']['entity_type']
      /**
       * @description Whether the caller may view the revision: `visible` by permission, `opened` by the story, `hidden`, or `deleted`.
       * @enum {string}
       */
      revision_state: 'hidden' | 'deleted' | 'visible' | 'opened'
    }
    /** @description A call of a tool by the language model. */
    ToolCall: {
      name: components['schemas']['name']
      /** @description What the tool was called with. */
      input: unknown
      /** @description The result of the task, or null. */
      result: string
    }
    /** @description A data object whose bytes were uploaded before. */
    UploadedDataObject: {
      /** @description The name of the file or table. */
      name?: string | null
      type: components['schemas']['type']
      metadata?: components['schemas']['metadata']
      is_clean_room?: components['schemas']['is_clean_room']
      /** @description The id or the URL of an upload with the bytes, in place of `data`. */
      upload: string
    }
    /** @description A user. Of other users, only the public members are set. */
    User: {
      username: components['schemas']['username']
      /** @description The first name; may be empty. */
      first_name: string
      /** @description The last name; may be empty. */
      last_name: string
      /**
       * Format: date-time
       * @description When the account was created.
       */
      date_joined: string
      /** @description A PNG in base64; null if there is none. */
      avatar: string | null
      /** @description Whether the user signs in with an identity provider. */
      using_auth0: boolean
      email?: components['schemas']['email']
      /** @description Whether the user has confirmed the e-mail address. */
      email_confirmed?: boolean
      /** @description Whether the user may sign in. */
      is_active?: boolean
      is_staff?: components['schemas']['is_staff']
      /** @description Free-form data of the user. Set `mention_emails` to false to receive no e-mails about mentions. */
      user_profile?: {
        [key: string]: unknown
      }
    }
    /** @description A page of a list. */
    UserPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['User'][]
    }
    /** @description The share of an object with a user. */
    UserShare: {
      username: components['schemas']['username']
      /** @description Whether the object is shared with the user. */
      sharing_enabled: boolean
    }
    /** @description A page of a list. */
    UserSharePage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['UserShare'][]
    }
    /** @description The members of an account to change. */
    UserUpdate: {
      /** @description The username, by which routes address a user. */
      username?: string | null
      /** @description The e-mail address. */
      email?: string | null
      /** @description The first name; may be empty. */
      first_name?: string | null
      /** @description The last name; may be empty. */
      last_name?: string | null
      /** @description The password. */
      password?: string | null
      /** @description A PNG in base64; null if there is none. */
      avatar?: string | null
      /** @description Free-form data of the user. Set `mention_emails` to false to receive no e-mails about mentions. */
      user_profile?: {
        [key: string]: unknown
      } | null
    }
    /** @description A workspace. */
    Workspace: components['schemas']['WorkspaceShallow'] & {
      /** @description The analyses, without their content. */
      analyses: components['schemas']['AnalysisShallow'][]
      assets: components['schemas']['assets']
      /** @description The stories, without their content. */
      stories: components['schemas']['StoryShallow'][]
    }
    /** @description The members of a new workspace. */
    WorkspaceCreate: components['schemas']['WorkspaceUpdate'] & {
      /** @description `primary` for the workspace that was created with its user, else `secondary`. */
      workspace_type?: 'secondary' | null
      created_on_behalf_name?: components['schemas']['created_on_behalf_name']
      /** @description The e-mail address of that person, or null. */
      created_on_behalf_email?: string | null
    }
    /** @description A member and their role. */
    WorkspaceMemberUpdate: {
      username: components['schemas']['username']
      /**
       * @description The role of the member; null if the user is not a member.
       * @enum {string}
       */
      membership_type: 'admin' | 'creator' | 'viewer'
    }
    /** @description The number of objects in a workspace. */
    WorkspaceOverview: {
      /** @description The number of analyses. */
      analysis_count: number
      /** @description The number of figures. */
      figure_count: number
      /** @description The number of assets. */
      asset_count: number
      /** @description The number of stories. */
      story_count: number
      /** @description The number of objects that were active in the last seven days. */
      active_this_week: number
    }
    /** @description A workspace, without its content. */
    WorkspaceShallow: components['schemas']['NamedObject'] & {
      /**
       * @description `primary` for the workspace that was created with its user, else `secondary`.
       * @enum {string}
       */
      workspace_type: 'primary' | 'secondary'
      /**
       * Format: uuid
       * @description The id of the organization; null for a workspace without one.
       */
      organization: string | null
      /** @description Whether compute instances can be launched. */
      compute_enabled: boolean
    }
    /** @description A page of a list. */
    WorkspaceShallowPage: components['schemas']['Page'] & {
      /** @description The items of this page. */
      items?: components['schemas']['WorkspaceShallow'][]
    }
    /** @description The members of a workspace to change. */
    WorkspaceUpdate: {
      description?: components['schemas']['description']
      /**
       * Format: uuid
       * @description The id of the organization; null for a workspace without one.
       */
      organization?: string | null
      name?: components['schemas']['name']
    }
    /**
     * Format: uuid
     * @description The id of the analysis, or null.
     */
    analysis: string | null
    /**
     * Format: uuid
     * @description The id of the object, by which routes address it.
     */
    api_id: string
    /** @description The assets, without their revisions. */
    assets: components['schemas']['AssetShallow'][]
    /**
     * Format: uuid
     * @description The id that the new object gets; an id that exists is a conflict.
     */
    client_id: string
    /** @description Whether compute instances may run for longer than the plan allows. */
    compute_overages_enabled: boolean
    /** @description Markdown. Show it as untrusted. */
    content: string
    /**
     * Format: date-time
     * @description When the object was created.
     */
    created_on: string
    /** @description The name of the person for whom staff created the object, or null. */
    created_on_behalf_name: string | null
    /** @description The data objects, without their bytes. */
    data: (components['schemas']['NewDataObject'] | components['schemas']['UploadedDataObject'])[]
    /** @description A text for people, or null. The maximum length is a limit of the installation. */
    description: string | null
    /** @description The e-mail address. */
    email: string
    /** @description The type of the object, for example `figure`. */
    entity_type: string
    /**
     * Format: date-time
     * @description Until when it is valid; null for no end.
     */
    expiry: string | null
    /**
     * Format: uuid
     * @description The id of the figure revision.
     */
    figure_revision: string
    /** @description The id of the event or of the object. */
    id: string
    /**
     * Format: uuid
     * @description The id of the asset that the object was imported from, or null.
     */
    import_source_asset: string | null
    /** @description Whether the client marks it as reproducible from its code and parameters. */
    is_clean_room: boolean
    /** @description Whether the user manages accounts, plans and the settings of the site. */
    is_staff: boolean
    /**
     * @description The state of the instance.
     * @enum {string}
     */
    lifecycle: 'pending' | 'starting' | 'running' | 'stopping' | 'stopped' | 'failed' | 'terminated'
    /** @description A PNG in base64; null for no logo. Only organizations have one. */
    logo: string | null
    /** @description The role of the member; null if the user is not a member. */
    membership_type:
      | (
          | 'owner'
          | 'admin'
          | 'creator'
          | 'viewer'
          | 'org_admin'
          | 'workspace_admin'
          | 'workspace_creator'
          | 'workspace_viewer'
        )
      | null
    /** @description JSON of the client, which is stored unchanged. */
    metadata: unknown
    /** @description The language model, one of `ai_supported_models`. The default is that of the site. */
    model: string | null
    /** @description The name. The maximum length is 500 characters by default. */
    name: string
    /** @description What the language model did not get, because of its size or your permissions. */
    omissions: string[]
    /**
     * Format: uuid
     * @description The id of the comment that this one answers, or null.
     */
    parent_comment_id: string | null
    /**
     * Format: uuid
     * @description The plan, or its id.
     */
    plan: string
    /**
     * Format: uuid
     * @description The id of the figure revision of the slide, or null.
     */
    revision_id: string | null
    /** @description The figure revisions, in the order of the author. */
    revisions: (
      | components['schemas']['ToldRevision']
      | components['schemas']['ToldRevisionReference']
    )[]
    /** @description Whether search finds the revision by all that is known of it; null if search does not respond. */
    search: ('pending' | 'indexed' | 'failed') | null
    /** @description A short id of 9 to 16 characters, which routes accept in place of the id; null if there is none. */
    short_id: string | null
    /** @description The id of the slide in its story; generated if it is omitted. */
    slide_id: string
    /**
     * @description The kind of the slide.
     * @enum {string}
     */
    slide_type: 'title' | 'introduction' | 'figure' | 'goals' | 'data' | 'conclusion' | 'custom'
    /** @description Whether the answer is sent as server-sent events. The default is false. */
    stream: boolean | null
    /**
     * Format: uuid
     * @description The id of the object.
     */
    target_id: string
    /** @description A PNG in base64; null if there is none. */
    thumbnail: string | null
    /**
     * @description What the bytes are.
     * @enum {string}
     */
    type: 'image' | 'code' | 'text' | 'dataframe' | 'file'
    /** @description The username, by which routes address a user. */
    username: string
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    workspace: string
  }
  responses: {
    /** @description The answer. */
    '200.AccountState': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['AccountState']
      }
    }
    /** @description The answer. */
    '200.Activity': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Activity']
      }
    }
    /** @description The answer. */
    '200.ActivityShallow.list': {
      headers: {
        Link: components['headers']['Link']
        'X-Limit': components['headers']['X-Limit']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | (components['schemas']['ActivityShallow'][] | components['schemas']['ActivityPage'])
          | components['schemas']['ActivityItemPage']
      }
    }
    /** @description The answer. */
    '200.Analysis': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Analysis']
      }
    }
    /** @description The answer. */
    '200.Analysis.or.AnalysisShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Analysis']
          | components['schemas']['AnalysisShallow']
      }
    }
    /** @description The answer. */
    '200.Asset': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Asset']
      }
    }
    /** @description The answer. */
    '200.Asset.or.AssetShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Asset'] | components['schemas']['AssetShallow']
      }
    }
    /** @description The answer. */
    '200.AssetRevision': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['AssetRevision']
      }
    }
    /** @description The answer. */
    '200.AssetRevision.or.AssetRevisionShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['AssetRevision']
          | components['schemas']['AssetRevisionShallow']
      }
    }
    /** @description The answer. */
    '200.ComputeInstance': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ComputeInstance']
      }
    }
    /** @description The answer. */
    '200.ComputeUsage': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ComputeUsage']
        'text/csv': unknown
      }
    }
    /** @description The answer. */
    '200.ContainerAiUsage': {
      headers: {
        'Content-Disposition': components['headers']['Content-Disposition']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ContainerAiUsage']
        'text/csv': unknown
      }
    }
    /** @description The answer. */
    '200.Deletion.list': {
      headers: {
        Link: components['headers']['Link']
        'X-Limit': components['headers']['X-Limit']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Deletion'][]
          | components['schemas']['DeletionPage']
      }
    }
    /** @description The answer. */
    '200.Figure': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Figure']
      }
    }
    /** @description The answer. */
    '200.Figure.or.FigureShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Figure'] | components['schemas']['FigureShallow']
      }
    }
    /** @description The answer. */
    '200.InsightAnswer': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['InsightAnswer']
        'text/event-stream': components['schemas']['InsightEvent']
      }
    }
    /** @description The answer. */
    '200.Invitation': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Invitation']
      }
    }
    /** @description The answer. */
    '200.Invitation.list': {
      headers: {
        Link: components['headers']['Link']
        'X-Limit': components['headers']['X-Limit']
        'X-Total-Count': components['headers']['X-Total-Count']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Invitation'][]
          | components['schemas']['InvitationPage']
      }
    }
    /** @description The answer. */
    '200.LinkShare': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    /** @description The answer. */
    '200.Member': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Member']
      }
    }
    /** @description The answer. */
    '200.Member.list': {
      headers: {
        Link: components['headers']['Link']
        'X-Limit': components['headers']['X-Limit']
        'X-Total-Count': components['headers']['X-Total-Count']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Member'][] | components['schemas']['MemberPage']
      }
    }
    /** @description The answer. */
    '200.Message': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Message']
      }
    }
    /** @description The answer. */
    '200.ObjectReference.list': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ObjectReference'][]
      }
    }
    /** @description The answer. */
    '200.Organization': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Organization']
      }
    }
    /** @description The answer. */
    '200.Organization.or.OrganizationShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Organization']
          | components['schemas']['OrganizationShallow']
      }
    }
    /** @description The answer. */
    '200.Plan': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Plan']
      }
    }
    /** @description The answer. */
    '200.Revision': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Revision']
      }
    }
    /** @description The answer. */
    '200.Revision.or.RevisionShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Revision']
          | components['schemas']['RevisionShallow']
      }
    }
    /** @description The answer. */
    '200.Settings': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Settings']
      }
    }
    /** @description The answer. */
    '200.Size': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Size']
      }
    }
    /** @description The answer. */
    '200.SshKey': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['SshKey']
      }
    }
    /** @description The answer. */
    '200.Storage': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Storage']
      }
    }
    /** @description The answer. */
    '200.Story': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Story']
      }
    }
    /** @description The answer. */
    '200.Story.or.StoryShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Story'] | components['schemas']['StoryShallow']
      }
    }
    /** @description The answer. */
    '200.Subscription': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Subscription']
      }
    }
    /** @description The answer. */
    '200.Task': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Task']
      }
    }
    /** @description The answer. */
    '200.TaskReference': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['TaskReference']
      }
    }
    /** @description The answer. */
    '200.Thumbnail': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Thumbnail']
        'image/png': unknown
      }
    }
    /** @description The answer. */
    '200.User': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['User']
      }
    }
    /** @description The answer. */
    '200.UserShare': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    /** @description The answer. */
    '200.UserShare.list': {
      headers: {
        Link: components['headers']['Link']
        'X-Limit': components['headers']['X-Limit']
        'X-Total-Count': components['headers']['X-Total-Count']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['UserShare'][]
          | components['schemas']['UserSharePage']
      }
    }
    /** @description The answer. */
    '200.Workspace': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Workspace']
      }
    }
    /** @description The answer. */
    '200.Workspace.or.WorkspaceShallow': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json':
          | components['schemas']['Workspace']
          | components['schemas']['WorkspaceShallow']
      }
    }
    /** @description It was created. */
    '201.Comment': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Comment']
      }
    }
    /** @description It was created. */
    '201.Invitation': {
      headers: {
        Location: components['headers']['Location']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Invitation']
      }
    }
    /** @description It was created. */
    '201.Revision': {
      headers: {
        ETag: components['headers']['ETag']
        Location: components['headers']['Location']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Revision']
      }
    }
    /** @description The request was accepted; the work goes on. */
    '202.ComputeInstance': {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ComputeInstance']
      }
    }
    /** @description The request was accepted; the work goes on. */
    '202.Message': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Message']
      }
    }
    /** @description It is done; the answer is empty. */
    '204.empty': {
      headers: {
        [name: string]: unknown
      }
      content?: never
    }
    /** @description The caller has the newest version. */
    '304.empty': {
      headers: {
        ETag: components['headers']['ETag']
        [name: string]: unknown
      }
      content?: never
    }
    /** @description The request failed. */
    '4XX': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.body': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.id': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.id.body': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.id.input': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.input': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.public': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '4XX.public.body': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
    /** @description The request failed. */
    '5XX': {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'RateLimit-Limit': components['headers']['RateLimit-Limit']
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
        'RateLimit-Reset': components['headers']['RateLimit-Reset']
        'X-Request-Id': components['headers']['X-Request-Id']
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Problem']
      }
    }
  }
  parameters: {
    /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
    'Idempotency-Key': string
    /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
    'If-Match': string
    /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
    'If-None-Match': string
    /** @description The version of the protocol tus. */
    'Tus-Resumable': '1.0.0'
    /** @description The length of the upload, in bytes. */
    'Upload-Length': string
    /** @description The id of the key. */
    api_id: string
    /** @description `next` of the page before. Without it, the first page. */
    cursor: string
    /** @description Whether to list only the newest entry about each object. The default is false. */
    deduplicate: boolean
    /** @description Whether to get full items, in pages. The default is false. */
    deep: boolean
    /** @description Whether to get the bytes in place of JSON. The default is false. */
    dl: boolean
    /** @description Whether to leave out entries about deleted objects. The default is false. */
    exclude_deleted: boolean
    /** @description The members to show, separated by commas. Without it, all are shown. */
    fields: string
    /** @description The format of the answer. The default is what `Accept` prefers. */
    format: 'json' | 'csv'
    /** @description Default: what `Accept` prefers. */
    'format.2': 'json' | 'csv'
    /** @description The id of the object. Routes of figure revisions also accept a short id. */
    id: string
    /** @description The id or the token of the invitation. */
    key: string
    /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
    limit: number
    /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
    'limit.2': number
    /** @description The id of the entry. */
    log_id: string
    /** @description The number of the version, from 1. */
    number: string
    /** @description How many items to skip. The default is 0. */
    offset: number
    /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
    page_size: number
    /** @description A month in UTC, `YYYY-MM`. The default is this month. */
    period: string
    /** @description A month in UTC, `YYYY-MM`; default: this month. */
    'period.2': string
    /** @description Whether to leave out the content. The default is false. */
    shallow: boolean
    /** @description Whether the activity log hides the change. The default is false. */
    silent: boolean
    /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
    size: string
    /** @description The id of the task. */
    task_id: string
    /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
    updated_after: string
    /** @description The username of the user. */
    username: string
  }
  requestBodies: never
  headers: {
    /** @description The name of the file. */
    'Content-Disposition': string
    /** @description The version of the object or of the bytes, for `If-Match` and `If-None-Match`. */
    ETag: string
    /** @description The address of the next page of a list, with `rel="next"`. */
    Link: string
    /** @description The path of the new object. */
    Location: string
    /** @description How many requests are left (`r`), for how many seconds (`t`). */
    RateLimit: string
    /** @description How many requests the caller may make in a minute. */
    'RateLimit-Limit': number
    /** @description How many requests are allowed (`q`) in how many seconds (`w`). */
    'RateLimit-Policy': string
    /** @description How many of them are left in this minute. */
    'RateLimit-Remaining': number
    /** @description After how many seconds the minute ends. */
    'RateLimit-Reset': number
    /** @description After how many seconds to try again. */
    'Retry-After': number
    /** @description The version of the protocol tus. */
    'Tus-Resumable': string
    /** @description `1` while the length of the upload is unknown. */
    'Upload-Defer-Length': string
    /** @description Until when the upload can be continued. */
    'Upload-Expires': string
    /** @description The length of the upload, in bytes. */
    'Upload-Length': number
    /** @description The metadata of the upload, as the client sent it. */
    'Upload-Metadata': string
    /** @description How many bytes of the upload were received. */
    'Upload-Offset': number
    /** @description The maximum number of items that was applied. */
    'X-Limit': number
    /** @description The id of the request in the log of the server. */
    'X-Request-Id': string
    /** @description How many items the list has; only for HEAD. */
    'X-Total-Count': number
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  issueToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SignIn']
        'application/x-www-form-urlencoded': components['schemas']['SignIn']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tokens']
        }
      }
      '4XX': components['responses']['4XX.public.body']
      '5XX': components['responses']['5XX']
    }
  }
  refreshToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshToken']
        'application/x-www-form-urlencoded': components['schemas']['RefreshToken']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description A token for the header `Authorization: Bearer`. */
            access: string
          }
        }
      }
      '4XX': components['responses']['4XX.public.body']
      '5XX': components['responses']['5XX']
    }
  }
  revokeToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRevocation']
        'application/x-www-form-urlencoded': components['schemas']['TokenRevocation']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': Record<string, never>
        }
      }
      '4XX': components['responses']['4XX.public.body']
      '5XX': components['responses']['5XX']
    }
  }
  getInfo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The name of the environment. */
            environment: string
            /** @description The version of Figbase. */
            server_version: string
            /**
             * Format: date-time
             * @description When the server was started.
             */
            started: string
            /** @description The versions of the API, oldest first. */
            api_versions: string[]
            /** @description The network address that the request came from. */
            your_ip: string
            /** @description Whether AI can be used. */
            ai_enabled?: boolean
            /** @description The identity provider, if there is one. */
            auth0_domain?: string
            /** @description The id of the frontend at the identity provider. */
            auth0_spa_client_id?: string
            /** @description The id of command-line clients at the identity provider. */
            auth0_cli_client_id?: string
            /** @description The audience of tokens of the identity provider. */
            auth0_audience?: string
          }
        }
      }
      '4XX': components['responses']['4XX.public']
      '5XX': components['responses']['5XX']
    }
  }
  listVersions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description The version of the API.
             * @enum {string}
             */
            version: 'v1' | 'v1.1' | 'v1.2' | 'v1.3' | 'v1.4' | 'v1.4.1'
            /** @description The release of Figbase that has it first. */
            since: string
            /** @description What the version added or changed. */
            changes: (
              | {
                  /** @description The route that changed. */
                  route: string
                  /** @description What changed. */
                  change: string
                }
              | {
                  /** @description The member that changed. */
                  member: string
                  /** @description What changed. */
                  change: string
                }
            )[]
          }[]
        }
      }
      '4XX': components['responses']['4XX.public']
      '5XX': components['responses']['5XX']
    }
  }
  getBootstrap: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The user. */
            user: components['schemas']['User']
            /** @description The workspaces, without their content. */
            workspaces: components['schemas']['WorkspaceShallow'][]
            /** @description The settings of the site. */
            settings: components['schemas']['Settings']
            /** @description The version of the API. */
            info: {
              /** @description The version of the API that the request named. */
              api_version: string
            }
          }
        }
      }
      '4XX': components['responses']['4XX']
      '5XX': components['responses']['5XX']
    }
  }
  getOpenApi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      '4XX': components['responses']['4XX.public']
      '5XX': components['responses']['5XX']
    }
  }
  listUsers: {
    parameters: {
      query?: {
        /** @description The beginning of a username or a name. */
        q?: string
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User'][] | components['schemas']['UserPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          username: components['schemas']['username']
          email: components['schemas']['email']
          /** @description The password. */
          password: string
          /** @description The first name; may be empty. */
          first_name?: string | null
          /** @description The last name; may be empty. */
          last_name?: string | null
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NewUser']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.User']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  replaceUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdate']
      }
    }
    responses: {
      200: components['responses']['200.User']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description The password. */
          password?: string | null
        }
      }
    }
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  updateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdate']
      }
    }
    responses: {
      200: components['responses']['200.User']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listContributions: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['DailyContributions'][]
            | components['schemas']['DailyContributionsPage']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAccounts: {
    parameters: {
      query?: {
        /** @description The beginning of the username, a name or the e-mail address. */
        q?: string
        /** @description List only accounts in this state. */
        state?: 'active' | 'inactive'
        /** @description How many items to list at most. The default is 50; more than 100 count as 100. */
        page_size?: number
        /** @description `next_cursor` of the previous page. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The items of this page. */
            items: components['schemas']['Account'][]
            /** @description The `cursor` of the next page; null after the last one. */
            next_cursor: string | null
          }
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['Session'][]
            | components['schemas']['SessionPage']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  endSessions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  endSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listApiKeys: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['ApiKey'][]
            | components['schemas']['ApiKeyPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createApiKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['name']
          /**
           * Format: uuid
           * @description The id of the workspace.
           */
          workspace?: string | null
          expiry?: components['schemas']['expiry']
          /** @description A token for the header `Authorization: Bearer`. */
          access?: ('read' | 'publish' | 'full') | null
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiKeyCreated']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiKey']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  deleteApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizations: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | (
                | components['schemas']['Organization']
                | components['schemas']['OrganizationShallow']
              )[]
            | components['schemas']['OrganizationShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createOrganization: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Organization']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganization: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Organization.or.OrganizationShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceOrganization: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Organization']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteOrganization: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateOrganization: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Organization']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreOrganization: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Organization.or.OrganizationShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaces: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | (components['schemas']['Workspace'] | components['schemas']['WorkspaceShallow'])[]
            | components['schemas']['WorkspaceShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createWorkspace: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Workspace']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspace: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Workspace.or.WorkspaceShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceWorkspace: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Workspace']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteWorkspace: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateWorkspace: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Workspace']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreWorkspace: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Workspace.or.WorkspaceShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAnalyses: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | (components['schemas']['Analysis'] | components['schemas']['AnalysisShallow'])[]
            | components['schemas']['AnalysisShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createAnalysis: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AnalysisCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Analysis']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysis: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Analysis.or.AnalysisShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceAnalysis: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AnalysisUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Analysis']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteAnalysis: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateAnalysis: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AnalysisUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Analysis']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreAnalysis: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Analysis.or.AnalysisShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listFigures: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | (components['schemas']['Figure'] | components['schemas']['FigureShallow'])[]
            | components['schemas']['FigureShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createFigure: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Figure']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getFigure: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Figure.or.FigureShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceFigure: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Figure']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteFigure: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateFigure: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Figure']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreFigure: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Figure.or.FigureShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAssets: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | (components['schemas']['Asset'] | components['schemas']['AssetShallow'])[]
            | components['schemas']['AssetShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createAsset: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Asset']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAsset: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Asset.or.AssetShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceAsset: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Asset']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteAsset: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateAsset: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Asset']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreAsset: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Asset.or.AssetShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listDeletedOrganizations: {
    parameters: {
      query?: {
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        limit?: components['parameters']['limit']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Deletion.list']
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  listDeletedInOrganization: {
    parameters: {
      query?: {
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        limit?: components['parameters']['limit']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Deletion.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizationMembers: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Member.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  addOrganizationMember: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationMemberUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  changeOrganizationMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationMemberUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  removeOrganizationMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RemovedMember']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizationInvitations: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  createOrganizationInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          email: components['schemas']['email']
          /**
           * @description The role of the member; null if the user is not a member.
           * @enum {string}
           */
          membership_type:
            | 'org_admin'
            | 'workspace_admin'
            | 'workspace_creator'
            | 'workspace_viewer'
          /**
           * Format: uuid
           * @description The id of the organization; null for a workspace without one.
           */
          organization: string
          expiry?: components['schemas']['expiry']
        }
      }
    }
    responses: {
      201: components['responses']['201.Invitation']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  deleteOrganizationInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  acceptOrganizationInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listDeletedWorkspaces: {
    parameters: {
      query?: {
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        limit?: components['parameters']['limit']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Deletion.list']
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  listDeletedInWorkspace: {
    parameters: {
      query?: {
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        limit?: components['parameters']['limit']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Deletion.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaceMembers: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Member.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  addWorkspaceMember: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceMemberUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  changeWorkspaceMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceMemberUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  removeWorkspaceMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RemovedMember']
      }
    }
    responses: {
      200: components['responses']['200.Member']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaceInvitations: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  createWorkspaceInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          email: components['schemas']['email']
          /**
           * @description The role of the member; null if the user is not a member.
           * @enum {string}
           */
          membership_type: 'admin' | 'creator' | 'viewer'
          workspace: components['schemas']['workspace']
          expiry?: components['schemas']['expiry']
        }
      }
    }
    responses: {
      201: components['responses']['201.Invitation']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  deleteWorkspaceInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  acceptWorkspaceInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id or the token of the invitation. */
        key: components['parameters']['key']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Invitation']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizationShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareOrganizationWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareOrganizationByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaceShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareWorkspaceWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareWorkspaceByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listAnalysisShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareAnalysisWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysisLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareAnalysisByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listFigureShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareFigureWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getFigureLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareFigureByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listRevisionShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareRevisionWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareRevisionByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareAssetWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareAssetByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetRevisionShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareAssetRevisionWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareAssetRevisionByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listStoryShares: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.UserShare.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  shareStoryWithUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserShare']
      }
    }
    responses: {
      200: components['responses']['200.UserShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getStoryLinkShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  shareStoryByLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkShare']
      }
    }
    responses: {
      200: components['responses']['200.LinkShare']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizationChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listOrganizationLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaceChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listWorkspaceLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysisSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listAnalysisChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysisThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysisThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAnalysisLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAnalysisLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getFigureSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listFigureChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getFigureThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getFigureThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listFigureLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getFigureLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listRevisionChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listRevisionLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetRevisionChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetRevisionLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getStorySize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listStoryChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ObjectReference.list']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getStoryThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getStoryThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listStoryLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getStoryLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceOverview: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WorkspaceOverview']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceDashboard: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description How many items to list at most. The default is 10; more than 50 count as 50. */
        activity_limit?: number
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The id of the workspace. */
            workspace: components['schemas']['WorkspaceShallow']
            /** @description The number of objects. */
            overview: components['schemas']['WorkspaceOverview']
            /** @description The latest activity. */
            activity_log: components['schemas']['ActivityPage']
            /** @description The stories, without their content. */
            stories: components['schemas']['StoryShallow'][]
          }
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listRecentObjects: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 20; more than 1000 count as 1000. */
        limit?: number
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The analyses, without their content. */
            analyses: components['schemas']['AnalysisShallow'][]
            /** @description The figures, without their revisions. */
            figures: components['schemas']['FigureShallow'][]
            assets: components['schemas']['assets']
          }
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  findAssetsByName: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['name']
          analysis?: components['schemas']['analysis']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AssetShallow'][]
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  listRevisions: {
    parameters: {
      query?: {
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['RevisionShallow'][]
            | components['schemas']['RevisionShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevisionCreate']
      }
    }
    responses: {
      201: components['responses']['201.Revision']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getRevision: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Revision.or.RevisionShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevisionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Revision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevisionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Revision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getRevisionStatus: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Whether the data is still being processed. */
            is_processing: boolean
            search: components['schemas']['search']
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  restoreRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Revision.or.RevisionShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listAssetRevisions: {
    parameters: {
      query?: {
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['AssetRevisionShallow'][]
            | components['schemas']['AssetRevisionShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetRevisionCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AssetRevision']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.AssetRevision.or.AssetRevisionShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetRevisionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.AssetRevision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AssetRevisionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.AssetRevision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAssetRevisionStatus: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Whether the data is still being processed. */
            is_processing: boolean
            search: components['schemas']['search']
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  restoreAssetRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.AssetRevision.or.AssetRevisionShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listStories: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier. */
        updated_after?: components['parameters']['updated_after']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['StoryShallow'][]
            | components['schemas']['StoryShallowPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createStory: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['name']
          description?: components['schemas']['description']
          workspace: components['schemas']['workspace']
          /** @description The revisions, oldest first, without their data. */
          revisions?:
            | (
                | string
                | {
                    api_id: components['schemas']['api_id']
                  }
              )[]
            | null
          /** @description The slides, in their order. */
          slides?: components['schemas']['SlideUpdate'][] | null
          /** @description Whether to start a task that lets AI write the story. The default is false. */
          generate?: boolean | null
          /**
           * Format: uuid
           * @description The id that the new object gets; an id that exists is a conflict.
           */
          client_id?: string | null
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Story']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getStory: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: {
        /** @description The `ETag` of the document or the bytes that the caller has. If nothing has changed, the answer is 304. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Story.or.StoryShallow']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  replaceStory: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Story']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteStory: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  updateStory: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Story']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  restoreStory: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Story.or.StoryShallow']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listStoryVersions: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        limit?: components['parameters']['limit']
        /** @description List the versions before this one. */
        before?: number
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['StoryVersion'][]
            | components['schemas']['StoryVersionPage']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getStoryVersion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The number of the version, from 1. */
        number: components['parameters']['number']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StoryVersionFull']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  restoreStoryVersion: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The number of the version, from 1. */
        number: components['parameters']['number']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Story']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  startStoryExport: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The format.
           * @enum {string}
           */
          format: 'markdown' | 'pptx' | 'pdf'
        }
      }
    }
    responses: {
      /** @description The request was accepted; the work goes on. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: uuid
             * @description The id of the task.
             */
            task_id: string
          }
        }
      }
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  downloadStoryExport: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the export. */
        export_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          '*/*': unknown
        }
      }
      /** @description The requested range of the bytes. */
      206: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          '*/*': unknown
        }
      }
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  appendRevisionData: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': {
          data?: components['schemas']['data']
        }
      }
    }
    responses: {
      200: components['responses']['200.Revision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  unlinkFigureRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          figure_revision: components['schemas']['figure_revision']
          /** @description The revision that counts as updated: `figure_revision` (the default), `asset_revision`, or the id of one of the two. */
          anchor?: string | null
          /** @description Whether to delete the figure revision, too. The default is false. */
          delete_figure_revision?: boolean | null
        }
      }
    }
    responses: {
      200: components['responses']['200.AssetRevision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  generateRevisionDescription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Revision']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  countRevisionComments: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description How many there are. */
            count: number
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  createAutoAssignedRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AutoAssignedRevisionCreate']
      }
    }
    responses: {
      201: components['responses']['201.Revision']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  deriveRevision: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description At most 8589934592 bytes. */
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the figure.
           */
          figure?: string | null
          metadata?: components['schemas']['metadata']
          /**
           * Format: uuid
           * @description The id that the new object gets; an id that exists is a conflict.
           */
          client_id?: string | null
          short_id?: components['schemas']['short_id']
        }
      }
    }
    responses: {
      201: components['responses']['201.Revision']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  findAssetRevisionsByHash: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The hash function: only `blake3`.
           * @constant
           */
          hash_type: 'blake3'
          /** @description The hash to look for, in 64 hexadecimal digits. */
          digest: string
          analysis?: components['schemas']['analysis']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FoundAssetRevision'][]
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  reserveShortIdPrefix: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The reserved prefix, with which short ids begin. */
            prefix: string
          }
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createUpload: {
    parameters: {
      query?: never
      header: {
        /** @description The version of the protocol tus. */
        'Tus-Resumable': components['parameters']['Tus-Resumable']
        /** @description The length of the upload, in bytes. */
        'Upload-Length'?: components['parameters']['Upload-Length']
        /** @description Says that the length is not known yet. */
        'Upload-Defer-Length'?: '1'
        /** @description Names and values in base64, separated by commas. */
        'Upload-Metadata': string
      }
      path?: never
      cookie?: never
    }
    /** @description The bytes. */
    requestBody?: {
      content: {
        'application/offset+octet-stream': unknown
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          Location: components['headers']['Location']
          'Tus-Resumable': components['headers']['Tus-Resumable']
          'Upload-Expires': components['headers']['Upload-Expires']
          'Upload-Offset': components['headers']['Upload-Offset']
          [name: string]: unknown
        }
        content?: never
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  deleteUpload: {
    parameters: {
      query?: never
      header: {
        /** @description The version of the protocol tus. */
        'Tus-Resumable': components['parameters']['Tus-Resumable']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It is done; the answer is empty. */
      204: {
        headers: {
          'Tus-Resumable': components['headers']['Tus-Resumable']
          [name: string]: unknown
        }
        content?: never
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getUploadOffset: {
    parameters: {
      query?: never
      header: {
        /** @description The version of the protocol tus. */
        'Tus-Resumable': components['parameters']['Tus-Resumable']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'Tus-Resumable': components['headers']['Tus-Resumable']
          'Upload-Defer-Length': components['headers']['Upload-Defer-Length']
          'Upload-Expires': components['headers']['Upload-Expires']
          'Upload-Length': components['headers']['Upload-Length']
          'Upload-Metadata': components['headers']['Upload-Metadata']
          'Upload-Offset': components['headers']['Upload-Offset']
          [name: string]: unknown
        }
        content?: never
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  appendToUpload: {
    parameters: {
      query?: never
      header: {
        /** @description The version of the protocol tus. */
        'Tus-Resumable': components['parameters']['Tus-Resumable']
        /** @description How many bytes of the upload the server has. */
        'Upload-Offset': string
        /** @description The length of the upload, in bytes. */
        'Upload-Length'?: components['parameters']['Upload-Length']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    /** @description The bytes. */
    requestBody?: {
      content: {
        'application/offset+octet-stream': unknown
      }
    }
    responses: {
      /** @description It is done; the answer is empty. */
      204: {
        headers: {
          'Tus-Resumable': components['headers']['Tus-Resumable']
          'Upload-Expires': components['headers']['Upload-Expires']
          'Upload-Offset': components['headers']['Upload-Offset']
          [name: string]: unknown
        }
        content?: never
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  createDirectUpload: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the figure.
           */
          figure?: string | null
          /**
           * Format: uuid
           * @description The id of the asset.
           */
          asset?: string | null
          analysis?: components['schemas']['analysis']
          /**
           * Format: uuid
           * @description The id of the figure revision that gets the bytes.
           */
          revision?: string | null
          /**
           * Format: uuid
           * @description The id of the asset revision.
           */
          asset_revision?: string | null
          /** @description The size in bytes of the decoded data, including that of everything below. */
          size_bytes: number
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: uuid
             * @description The id of the object.
             */
            id: string
            /**
             * Format: uri
             * @description Where the client sends the bytes.
             */
            url: string
            /**
             * @description The HTTP method to send them with.
             * @constant
             */
            method: 'PUT'
            /**
             * Format: date-time
             * @description Until when the upload may be used.
             */
            expires: string
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObject: {
    parameters: {
      query?: {
        /** @description Whether to leave out the content. The default is false. */
        shallow?: components['parameters']['shallow']
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DataObject']
          '*/*': unknown
        }
      }
      /** @description The requested range of the bytes. */
      206: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          '*/*': unknown
        }
      }
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObjectSize: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Size']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listDataObjectChildren: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': unknown[]
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObjectStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The kind of storage: `default`, `s3` or `aws`. */
            vendor: string
            /** @description The BLAKE3 hash of the bytes, in 64 hexadecimal digits. */
            hash: string
            /** @description The path of the stored object; null if it is not shown. */
            path: string | null
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObjectThumbnail: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObjectThumbnailOfSize: {
    parameters: {
      query?: {
        /** @description Whether to get the bytes in place of JSON. The default is false. */
        dl?: components['parameters']['dl']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The longer side of the thumbnail, in pixels, from 1 to 2048. */
        size: components['parameters']['size']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Thumbnail']
      202: components['responses']['202.Message']
      304: components['responses']['304.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  listDataObjectLog: {
    parameters: {
      query?: {
        /** @description Whether to leave out entries about deleted objects. The default is false. */
        exclude_deleted?: components['parameters']['exclude_deleted']
        /** @description Whether to list only the newest entry about each object. The default is false. */
        deduplicate?: components['parameters']['deduplicate']
        /** @description Whether to get full items, in pages. The default is false. */
        deep?: components['parameters']['deep']
        /** @description How many items to skip. The default is 0. */
        offset?: components['parameters']['offset']
        /** @description How many items to list at most. The default is 1000; more than 1000 count as 1000. */
        limit?: components['parameters']['limit.2']
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ActivityShallow.list']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getDataObjectLogItem: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
        /** @description The id of the entry. */
        log_id: components['parameters']['log_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Activity']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listTasks: {
    parameters: {
      query?: {
        /** @description List only tasks in these states, separated by commas. */
        status__in?: string
        /** @description List only tasks that were created at this time or later. */
        created_at__gte?: string
        /** @description List only tasks that were created at this time or earlier. */
        created_at__lte?: string
        /** @description List only tasks that ended at this time or later. */
        completed_at__gte?: string
        /** @description List only tasks that ended at this time or earlier. */
        completed_at__lte?: string
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Task'][] | components['schemas']['TaskPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  getTask: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Task']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listTaskLogs: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: uuid
             * @description The id of the task.
             */
            task_id: string
            /** @description The lines, oldest first. */
            logs: components['schemas']['TaskLogLine'][]
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  cancelTask: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        task_id: components['parameters']['task_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Task']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  followEvents: {
    parameters: {
      query?: never
      header?: {
        /** @description The id of the last event that the caller has received. */
        'Last-Event-ID'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': components['schemas']['LiveEvent']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  listPlans: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Plan'][] | components['schemas']['PlanPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createPlan: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PlanCreate']
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Plan']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  replacePlan: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PlanUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Plan']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deletePlan: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  updatePlan: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PlanUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Plan']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  changeWorkspaceSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionChange']
      }
    }
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  updateWorkspaceSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  changeOrganizationSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionChange']
      }
    }
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  updateOrganizationSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Subscription']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  applyWorkspacePromotion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The promotion code. */
          promotion_code: string
        }
      }
    }
    responses: {
      200: components['responses']['200.Plan']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  changeWorkspaceStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StorageUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  testWorkspaceStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StorageUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  changeOrganizationStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StorageUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  testOrganizationStorage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StorageUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Storage']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listPromotionCodes: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['PromotionCode'][]
            | components['schemas']['PromotionCodePage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createPromotionCode: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The promotion code. */
          promotion_code?: string | null
          plan: components['schemas']['plan']
          expiry?: components['schemas']['expiry']
          /** @description How often the code may be used; null for no limit. */
          uses_max?: number | null
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PromotionCode']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  deletePromotionCode: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The promotion code. */
        code: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listComputeTiers: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['ComputeTier'][]
            | components['schemas']['ComputeTierPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  listComputeInstances: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['ComputeInstance'][]
            | components['schemas']['ComputeInstancePage']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  launchComputeInstance: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['name']
          /** @description The id of the tier. */
          tier?: string
          /** @description The size of the volume, in GB. */
          data_volume_gb?: number
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ComputeInstance']
        }
      }
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  getComputeLaunchOptions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ComputeLaunchOptions']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getComputeAllowance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ComputeAllowance']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getComputeInstance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ComputeInstance']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  updateComputeInstance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['name']
          /** @description Whether the instance is shut down when it is idle. */
          idle_shutdown_enabled?: boolean
          /** @description After how many seconds without use the instance is shut down. */
          idle_shutdown_seconds?: number
        }
      }
    }
    responses: {
      200: components['responses']['200.ComputeInstance']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  changeComputeInstanceTier: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The id of the tier. */
          tier: string
        }
      }
    }
    responses: {
      200: components['responses']['200.ComputeInstance']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  connectComputeInstance: {
    parameters: {
      query?: {
        /** @description The program to open. The default is `jupyter`. */
        app?: string
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ComputeConnection']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getComputeInstanceHeartbeat: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ComputeHeartbeat']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  listComputeInstanceEvents: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['ComputeInstanceEvent'][]
            | components['schemas']['ComputeInstanceEventPage']
        }
      }
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  startComputeInstance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      202: components['responses']['202.ComputeInstance']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  stopComputeInstance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      202: components['responses']['202.ComputeInstance']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  terminateComputeInstance: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      202: components['responses']['202.ComputeInstance']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getComputeInstanceUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`. The default is this month. */
        period?: components['parameters']['period']
        /** @description The format of the answer. The default is what `Accept` prefers. */
        format?: components['parameters']['format']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ComputeUsage']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceComputeUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`. The default is this month. */
        period?: components['parameters']['period']
        /** @description The format of the answer. The default is what `Accept` prefers. */
        format?: components['parameters']['format']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ComputeUsage']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationComputeUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`. The default is this month. */
        period?: components['parameters']['period']
        /** @description The format of the answer. The default is what `Accept` prefers. */
        format?: components['parameters']['format']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ComputeUsage']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  verifyEmail: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description The secret. */
          token?: string | null
        }
      }
    }
    responses: {
      200: components['responses']['200.Message']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  activateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.AccountState']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  deactivateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.AccountState']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  setStaffRole: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          is_staff: components['schemas']['is_staff']
        }
      }
    }
    responses: {
      200: components['responses']['200.AccountState']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  exportUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The username of the user. */
        username: components['parameters']['username']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The user. */
            user: components['schemas']['User']
            /** @description The API keys, without their tokens. */
            api_keys: components['schemas']['ApiKey'][]
            /** @description The SSH keys, without their private keys. */
            ssh_keys: components['schemas']['SshKey'][]
            /** @description The memberships, and the objects shared with the user. */
            grants: components['schemas']['Grant'][]
            /** @description The invitations that the user has sent. */
            invitations: components['schemas']['Invitation'][]
            /** @description The tasks. */
            tasks: components['schemas']['Task'][]
            /** @description The comments of the user. */
            comments: components['schemas']['OwnComment'][]
            /** @description The reactions of the user. */
            reactions: components['schemas']['OwnReaction'][]
            /** @description The stories, without their content. */
            stories: components['schemas']['OwnStory'][]
            /** @description The compute instances of the user. */
            compute_instances: components['schemas']['OwnComputeInstance'][]
            /** @description The tokens that AI used for the user. */
            ai_usage: components['schemas']['AiUsageItem'][]
            /** @description What the user did. */
            activity: components['schemas']['OwnActivity'][]
          }
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordResetRequest']
        'application/x-www-form-urlencoded': components['schemas']['PasswordResetRequest']
      }
    }
    responses: {
      200: components['responses']['200.Message']
      '4XX': components['responses']['4XX.public.body']
      '5XX': components['responses']['5XX']
    }
  }
  confirmPasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordReset']
        'application/x-www-form-urlencoded': components['schemas']['PasswordReset']
      }
    }
    responses: {
      200: components['responses']['200.Message']
      '4XX': components['responses']['4XX.public.body']
      '5XX': components['responses']['5XX']
    }
  }
  createMetadataProxy: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          expiry?: components['schemas']['expiry']
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetadataProxy']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getMetadataProxy: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The token of the metadata proxy. */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetadataProxy']
        }
      }
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  postMetadata: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The token of the metadata proxy. */
        token: string
      }
      cookie?: never
    }
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': {
          metadata: components['schemas']['metadata']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetadataProxy'] | null
        }
      }
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteMetadataProxy: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The token of the metadata proxy. */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  getSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.Settings']
      '4XX': components['responses']['4XX']
      '5XX': components['responses']['5XX']
    }
  }
  replaceSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SettingsUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Settings']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  updateSettings: {
    parameters: {
      query?: never
      header?: {
        /** @description The `ETag` of the object that the caller has read. If it has changed, nothing is written. */
        'If-Match'?: components['parameters']['If-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SettingsUpdate']
      }
    }
    responses: {
      200: components['responses']['200.Settings']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  listSshKeys: {
    parameters: {
      query?: {
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['SshKey'][]
            | components['schemas']['SshKeyPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createSshKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['name']
          /** @description The private key, as a text in the format PEM or OpenSSH. */
          private_key: string
          /** @description The passphrase of the private key, if it has one. */
          passphrase?: string | null
          /** @description Whether it is used if none is named. */
          is_default?: boolean
        }
      }
    }
    responses: {
      /** @description It was created. */
      201: {
        headers: {
          Location: components['headers']['Location']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SshKey']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getSshKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.SshKey']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  deleteSshKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
  updateSshKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        api_id: components['parameters']['api_id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['name']
          /** @description Whether it is used if none is named. */
          is_default?: boolean
        }
      }
    }
    responses: {
      200: components['responses']['200.SshKey']
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  listComments: {
    parameters: {
      query: {
        /** @description The type of the object. */
        target_type: 'asset' | 'asset_revision' | 'figure' | 'figure_revision'
        /** @description The id of the object. */
        target_id: string
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['Comment'][]
            | components['schemas']['CommentPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createComment: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The type of the object.
           * @enum {string}
           */
          target_type: 'asset' | 'asset_revision' | 'figure' | 'figure_revision'
          target_id: components['schemas']['target_id']
          content: components['schemas']['content']
          parent_comment_id?: components['schemas']['parent_comment_id']
        }
      }
    }
    responses: {
      201: components['responses']['201.Comment']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  updateComment: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          content: components['schemas']['content']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Comment']
        }
      }
      '4XX': components['responses']['4XX.id.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteComment: {
    parameters: {
      query?: {
        /** @description Whether the activity log hides the change. The default is false. */
        silent?: components['parameters']['silent']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  createAiResponse: {
    parameters: {
      query?: never
      header?: {
        /** @description A key of 1 to 255 characters: the same request with the same key gets the same answer for a day, and creates once. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      201: components['responses']['201.Comment']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  askAboutFigure: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          figure_revision: components['schemas']['figure_revision']
          /** @description The question, or what to do. */
          prompt: string
          stream?: components['schemas']['stream']
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      200: components['responses']['200.InsightAnswer']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  checkInsight: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureRevisionReference']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Whether a request would be accepted now. */
            available: boolean
            /** @description The messages, oldest first. */
            messages: string[]
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  compareFigures: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the first figure revision.
           */
          left_revision: string
          /**
           * Format: uuid
           * @description The id of the second figure revision.
           */
          right_revision: string
          /** @description The question, or what to do. */
          prompt?: string | null
          stream?: components['schemas']['stream']
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      200: components['responses']['200.InsightAnswer']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  askAboutText: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The text. */
          text: string
          /** @description The question, or what to do. */
          prompt: string
          /**
           * Format: uuid
           * @description The id of the workspace.
           */
          workspace?: string | null
          stream?: components['schemas']['stream']
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      200: components['responses']['200.InsightAnswer']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  extractFigureCode: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureRevisionReference']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The code. */
            code: string
            omissions: components['schemas']['omissions']
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  listFigureDatasets: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FigureRevisionReference']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The stored tables and files. */
            external_data: components['schemas']['DataObject'][]
            /** @description What the code reads, as a language model says. */
            ai_inputs: components['schemas']['Dataset'][]
            /** @description What the code writes, as a language model says. */
            ai_outputs: components['schemas']['Dataset'][]
            omissions: components['schemas']['omissions']
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  editFigureCode: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** @description At most 8388608 bytes. */
    requestBody: {
      content: {
        'application/json': {
          figure_revision: components['schemas']['figure_revision']
          /** @description The messages, oldest first. */
          messages: {
            /** @description Who wrote the message: `user` or `assistant`. */
            role: string
            content: components['schemas']['content']
          }[]
          /** @description The code to change. */
          current_code: string
          /** @description The picture that the code makes: a `data:` URL of a PNG in base64. */
          figure_image?: string | null
          /** @description The names of the packages that the code may import. */
          available_packages?: string[] | null
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description Who wrote the message: `user` or `assistant`.
             * @constant
             */
            role: 'assistant'
            content: components['schemas']['content']
            /** @description The code. */
            code: string
            /** @description Whether the code can be parsed and imports only available packages. */
            valid: boolean
            /** @description The name of the error, for programs. */
            error: string | null
            /** @description What the language model did to check the code. */
            tool_calls: components['schemas']['ToolCall'][]
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  getAiUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`; default: this month. */
        period?: components['parameters']['period.2']
        /** @description Default: what `Accept` prefers. */
        format?: components['parameters']['format.2']
        /** @description Whether to cover all users and workspaces; for staff only. The default is false. */
        all?: boolean
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AiUsage']
          'text/csv': unknown
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  getWorkspaceAiUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`; default: this month. */
        period?: components['parameters']['period.2']
        /** @description Default: what `Accept` prefers. */
        format?: components['parameters']['format.2']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ContainerAiUsage']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  getOrganizationAiUsage: {
    parameters: {
      query?: {
        /** @description A month in UTC, `YYYY-MM`; default: this month. */
        period?: components['parameters']['period.2']
        /** @description Default: what `Accept` prefers. */
        format?: components['parameters']['format.2']
      }
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      200: components['responses']['200.ContainerAiUsage']
      '4XX': components['responses']['4XX.id.input']
      '5XX': components['responses']['5XX']
    }
  }
  writeSlide: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the story.
           */
          story_id: string
          slide_type: components['schemas']['slide_type']
          revision_id?: components['schemas']['revision_id']
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['FigureSlideText']
            | components['schemas']['OverviewSlideText']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  changeSlideDetail: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the story.
           */
          story_id: string
          slide_id: components['schemas']['slide_id']
          /**
           * @description Whether to write more or less.
           * @enum {string}
           */
          direction: 'more' | 'less'
          /** @description The text of the slide now. */
          current_content: string
          model?: components['schemas']['model']
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            content: components['schemas']['content']
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  writeFigureSlide: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the story.
           */
          story_id: string
          /**
           * Format: uuid
           * @description The id of the figure revision of the slide, or null.
           */
          revision_id: string
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FigureSlideText']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  writeStoryOverviews: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryReference']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OverviewSlideText']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  refineSlides: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryReference']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            content: components['schemas']['content']
            /** @description The slides, in their order. */
            slides: {
              slide_id: components['schemas']['slide_id']
              content: components['schemas']['content']
            }[]
            omissions: components['schemas']['omissions']
          }
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  generateStory: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryReference']
      }
    }
    responses: {
      200: components['responses']['200.TaskReference']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  refineStory: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StoryReference']
      }
    }
    responses: {
      200: components['responses']['200.TaskReference']
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  search: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** @description At most 8454144 bytes. */
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description How to search.
           * @enum {string}
           */
          search_type: 'keyword' | 'text' | 'semantic' | 'image'
          /** @description The words to search for. */
          query?: string | null
          /** @description The words to search for, in place of `query`. */
          keywords?: string[] | null
          /** @description The picture to search for, in base64. */
          image?: string | null
          /** @description The maximum number of results, from 1. The default is 10. */
          k?: number | null
          /**
           * Format: uuid
           * @description The id of the workspace.
           */
          workspace?: string | null
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          'X-Limit': components['headers']['X-Limit']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SearchResult'][]
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  readBatch: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Batch']
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BatchResponses']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  listReactions: {
    parameters: {
      query: {
        /** @description The id of the comment. */
        comment_id: string
        /** @description How many items to list at most. The default is 100; more than 1000 count as 1000. */
        page_size?: components['parameters']['page_size']
        /** @description `next` of the page before. Without it, the first page. */
        cursor?: components['parameters']['cursor']
        /** @description The members to show, separated by commas. Without it, all are shown. */
        fields?: components['parameters']['fields']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Limit': components['headers']['X-Limit']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json':
            | components['schemas']['Reaction'][]
            | components['schemas']['ReactionPage']
        }
      }
      '4XX': components['responses']['4XX.input']
      '5XX': components['responses']['5XX']
    }
  }
  createReaction: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The id of the comment.
           */
          comment_id: string
          /** @description One emoji, of at most 64 characters. */
          emoji: string
        }
      }
    }
    responses: {
      /** @description The answer. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Reaction']
        }
      }
      /** @description It was created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Reaction']
        }
      }
      '4XX': components['responses']['4XX.body']
      '5XX': components['responses']['5XX']
    }
  }
  deleteReaction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the object. Routes of figure revisions also accept a short id. */
        id: components['parameters']['id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      204: components['responses']['204.empty']
      '4XX': components['responses']['4XX.id']
      '5XX': components['responses']['5XX']
    }
  }
}
