using { BuyerService } from './buyer-service';

// Rows: a user whose attributes name locations or groups sees those alone.
annotate BuyerService.Proposals with @restrict: [
  { grant: 'READ', where: (($user.locations is null or location = $user.locations) and ($user.groups is null or skuGroup = $user.groups)) },
  { grant: ['approve', 'decline', 'snooze', 'cancel'], to: ['Buyer', 'ApproverHigh'] },
  { grant: 'risk' },
];
annotate BuyerService.Decisions with @restrict: [
  { grant: 'READ', where: ($user.locations is null or location = $user.locations) }
];
annotate BuyerService.Blocked with @restrict: [
  { grant: 'READ', where: (($user.locations is null or location = $user.locations) and ($user.groups is null or skuGroup = $user.groups)) }
];
annotate BuyerService.Locations with @restrict: [
  { grant: 'READ', where: ($user.locations is null or location = $user.locations) }
];
