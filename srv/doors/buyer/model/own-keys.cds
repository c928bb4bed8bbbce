// Keys that act as the signed-in person: they see, confirm and revoke them.
using { restock } from '../../../../db';
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  /** Keys of /v1 that act as the user. One that decides about proposals does so once the user has confirmed it. */
  @readonly
  entity ApiKeys as select from restock.ApiKeys {
    key ID, name, replace(replace(replace(replace(cast(scopes as String(1000)), '[', ''), ']', ''), '"', ''), ',', ', ') as scopes : String(500), actsAs, maxOrderValue, currency, createdAt, createdBy, expiresAt, confirmedAt, status,
    case when status in ('pending_confirmation', 'user_left') then true else false end as canConfirm : Boolean,
    case when status in ('revoked', 'expired') then false else true end as canRevoke : Boolean,
    toStatus : Association to restock.ApiKeyStates on toStatus.code = $self.status
  }
  actions {
    action confirm() returns ApiKeys;
    action revoke() returns ApiKeys;
  };

  /** The same by number, for whoever reads no list. */
  action confirmKey(id : String(20) @mandatory) returns ApiKeys;
}

annotate BuyerService.ApiKeys with @restrict: [
  { grant: 'READ', where: (actsAs = $user) },
  { grant: 'confirm', to: ['Buyer', 'ApproverHigh'], where: (actsAs = $user) },
  { grant: 'revoke', where: (actsAs = $user) },
];
annotate BuyerService.confirmKey with @requires: ['Buyer', 'ApproverHigh'];
