namespace restock;

using { restock.Chained } from './audit';
using { restock.AuditActions } from './code-lists';
using { restock.Code, restock.Codes, restock.Json } from './types';

/** An API key. Only a hash of its secret is stored. */
entity ApiKeys {
  key ID            : String(20);        // the public part of rsk_<ID>_<secret>
      name          : String(100);
      secretHash    : String(64);        // SHA-256, hex
      scopes        : Codes;
      actsAs        : String(255);
      maxOrderValue : Decimal(19, 2);
      currency      : String(3);         // of that limit; null: the account's
      createdAt     : Timestamp;
      createdBy     : String(255);
      expiresAt     : Timestamp;
      confirmedAt   : Timestamp;         // by the person whom it acts as, or issued by that person: without it, it decides nothing
      lapsedAt      : Timestamp;         // when that person had left, and the confirmation ended
      revokedAt     : Timestamp;
      rotatedTo     : String(20);
      status        : String(20) = case
        when revokedAt is not null then 'revoked'
        when expiresAt <= $now then 'expired'
        when lapsedAt is not null then 'user_left'
        when confirmedAt is null and cast(scopes as String(1000)) like '%"proposals:decide"%' then 'pending_confirmation'
        when rotatedTo is not null then 'rotated'
        else 'active' end;
}

/** Administrative changes: who issued or revoked a key, connected or removed a source. Append only. */
entity AuditLog : Chained {
  key ID     : UUID;
      at     : Timestamp;
      actor  : String(255);
      via    : String(20);
      action : String(50);
      toAction : Association to AuditActions on toAction.code = action;
      object : String(255);
      detail : String(1000);
}

/** Somebody who has signed in, with the roles and rows of then: whom a key may act as, or a deputy stand in for. */
entity Users {
  key ID        : String(255);
      roles     : Codes;
      locations : many Code;             // those alone; null for all
      groups    : many Code;             // of SKUs, those alone; null for all
      seenAt    : Timestamp;
}

/** Up to which value somebody may approve, and where; instead of what the roles allow. */
entity UserLimits {
  key user          : String(255);
      maxOrderValue : Decimal(19, 2);    // null: as the roles allow
      maxDayValue   : Decimal(19, 2);    // for a supplier on a day; null: the same
      currency      : String(3);         // null: the account's
      locations     : Json;              // those alone; null for all
      changedAt     : Timestamp;
      changedBy     : String(255);
}

/** Up to which value a role may approve, instead of the configured one; null for no limit. */
entity RoleLimits {
  key role          : String(50);
      maxOrderValue : Decimal(19, 2);
      maxDayValue   : Decimal(19, 2);    // for a supplier on a day; null: the same
      currency      : String(3);         // null: the account's
      changedAt     : Timestamp;
      changedBy     : String(255);
}

/** During an absence `toUser` may approve up to the limit of `fromUser`. */
entity Delegations {
  key ID        : UUID;
      fromUser  : String(255);
      toUser    : String(255);
      validFrom : Timestamp;
      validTo   : Timestamp;             // exclusive
      createdAt : Timestamp;
      createdBy : String(255);
      endedAt   : Timestamp;             // ended before its time
      lapsedAt  : Timestamp;             // ended because one of the two had left
}

annotate AuditLog with @assert.unique: { place: [seq] };
