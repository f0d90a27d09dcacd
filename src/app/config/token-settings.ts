import type { SettingValues } from './settings.ts';

/** Which claims of a token say what. */
export interface TokenClaimNames {
  owner: string;
  role: string;
  turnsPerDay: string;
  tokensPerDay: string;
}

/** Whose tokens let callers in. */
export interface TokenSettings {
  issuer: string;
  audience: string;
  /** Where the issuer's public keys are; null: where its discovery document says. */
  jwksUrl: string | null;
  claims: TokenClaimNames;
}

/** The issuer whose tokens are taken; null: none, and a text says what is missing. */
export const tokenSettingsOf = (values: SettingValues): TokenSettings | string | null => {
  const { TRIPACT_JWT_ISSUER: issuer, TRIPACT_JWT_AUDIENCE: audience, TRIPACT_JWT_JWKS_URL: jwksUrl } = values;
  if (issuer === null)
    return audience === null && jwksUrl === null
      ? null
      : 'TRIPACT_JWT_AUDIENCE and TRIPACT_JWT_JWKS_URL need TRIPACT_JWT_ISSUER: whose tokens are taken.';
  if (audience === null)
    return 'TRIPACT_JWT_ISSUER needs TRIPACT_JWT_AUDIENCE: tokens that it issues for other services must let nobody in here.';
  return {
    issuer,
    audience,
    jwksUrl,
    claims: {
      owner: values.TRIPACT_JWT_OWNER_CLAIM,
      role: values.TRIPACT_JWT_ROLE_CLAIM,
      turnsPerDay: values.TRIPACT_JWT_TURNS_CLAIM,
      tokensPerDay: values.TRIPACT_JWT_TOKENS_CLAIM,
    },
  };
};
